# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment: expected/NAME.json has what each must tell.

# Over a lossless class and a buffer that is too small: pauses, no loss
aidc_add_variant_test(dcqcn --transport=dcqcn --buffer=500kB)

# By in-band telemetry, and by round-trip times
aidc_add_variant_test(hpcc --transport=hpcc --schemes=off)
aidc_add_variant_test(timely --transport=timely --schemes=off)

# The same files with several processes
aidc_add_processes_test(tcp 2 --scenarios=remote --schemes=red,coupled)
aidc_add_processes_test(
  lossless 2 --scenarios=remote --transport=dcqcn --buffer=500kB
  --schemes=static
)
