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

# Only available bandwidth tells leaves of background traffic and of a slow link. Each of
# both links has half of 25 Gbit/s left, for a pair of leaves up and for another one down:
# the bound is 400 - 4 * 12.5 Gbit/s, 4096 of 4178 bytes of which are payload. With static
# weights, all four pairs get four times what that link has left, 4/7 of the bound.
aidc_add_variant_test(
  loaded --scenarios=loaded --schemes=fare-spray,fare-available-spray,max-flow
)
aidc_add_without_test(loaded fare-available-spray=fare-spray)

# The same files with several processes
aidc_add_processes_test(
  sessions 2 --scenarios=one-link-lost-3 --schemes=ecmp,fare-spray
  --hosts=2 --settle=100us --window=100us --exchange=50kB --queue-pairs=2
  --message=16kB
)
