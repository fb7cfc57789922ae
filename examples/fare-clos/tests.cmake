# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment: expected/NAME.json has what each must tell.

# Leaves learn of a link between a spine and a super-spine by their share of uplinks,
# and else do not.
aidc_add_variant_test(
  share --scenarios=degraded-core-5
  --schemes=fare-spray,fare-share-spray,max-flow
)
aidc_add_without_test(share fare-share-spray=fare-spray)
