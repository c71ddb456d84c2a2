// The codes of recipe findings: in diagnostics as core 1.3 lists them, in errors with `recipe.` in front.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "noema/error.h"

namespace noema::code {

inline constexpr Code recipe_unknown_field{"recipe.unknown_recipe_field"};
inline constexpr Code recipe_unknown_step_field{"recipe.unknown_recipe_step_field"};
inline constexpr Code recipe_implicit_step_id{"recipe.implicit_recipe_step_id"};
inline constexpr Code recipe_top_level{"recipe.recipe_top_level_type"};
inline constexpr Code recipe_json_value{"recipe.recipe_json_value_invalid"};
inline constexpr Code recipe_structure{"recipe.recipe_validation_error"};
inline constexpr Code recipe_operation{"recipe.operation_defaults_unavailable"};
inline constexpr Code recipe_schema{"recipe.operation_params_schema_invalid"};

// Not in the reference: what this program reads differently, or not yet.
inline constexpr Code recipe_legacy_sweep{"recipe.legacy_sweep_unsupported"};
inline constexpr Code recipe_legacy_sweep_ignored{"recipe.legacy_sweep_ignored"};
inline constexpr Code recipe_ofdm_link{"recipe.ofdm_link_unsupported"};
inline constexpr Code recipe_yaml_base_60{"recipe.yaml_base_60"};
inline constexpr Code recipe_yaml_octal{"recipe.yaml_octal"};
inline constexpr Code recipe_yaml_number_as_text{"recipe.yaml_number_as_text"};

inline constexpr Code recipe_matrix{"recipe.matrix_invalid"};            ///< metadata.matrix breaks its rules
inline constexpr Code recipe_matrix_point{"recipe.matrix_point"};        ///< a selection or index names no point
inline constexpr Code recipe_matrix_open{"recipe.matrix_not_expanded"};  ///< a whole matrix where one point is needed
inline constexpr Code recipe_variant_id{"recipe.matrix_variant_id"};     ///< the recorded identity is another point's
inline constexpr Code recipe_seed{"recipe.seed_invalid"};                ///< the master seed is no seed

}  // namespace noema::code
