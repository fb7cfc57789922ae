# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment.

# The same files with several processes
aidc_add_processes_test(
  wan 2 --layer-bytes=1MB --elephant-bytes=1MB --burst-bytes=1MB
  --schemes=fare,pre-ecn
)
