// The whole public interface of libnoema.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/backend.h"
#include "noema/contract.h"
#include "noema/error.h"
#include "noema/evidence.h"
#include "noema/plan.h"
#include "noema/recipe.h"
#include "noema/run.h"
#include "noema/value.h"
