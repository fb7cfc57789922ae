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

# The same files with several ranks
aidc_add_ranks_test(
  sessions 2 --scenarios=one-link-lost-3 --schemes=ecmp,fare-spray
  --hosts=2 --settle=100us --window=100us --exchange=50kB --queue-pairs=2
  --message=16kB
)
