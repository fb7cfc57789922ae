# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment: expected/NAME.json has what each must tell.

# Three data centers, where a link goes down with and without notice
aidc_add_variant_test(
  sites --sites=3 --scenarios=1ms-long-both-maintenance,1ms-long-both-failure
  --schemes=tail-drop,two-threshold --pairs=1 --senders=1 --core-rate=50Gbps
  --buffer=6MB --t1=500kB --t2=3MB --maximum=5MB --long-round-trips=7
)
aidc_add_without_test(sites two-threshold=tail-drop)

# PEs that hold back flows of twice the link's rate, and pause their data centers: no
# packet is repeated, and messages of another class do not wait
aidc_add_variant_test(
  edge --scenarios=12ms-long-both --schemes=two-threshold --edge-delay=5ms
  --pairs=4 --senders=4 --core-rate=10Gbps --buffer=75MB --t1=100kB --t2=50MB
  --maximum=62MB --long-round-trips=5 --limit-tunnels --victim-class=4
)

# The same files with several processes
aidc_add_processes_test(
  wan 2 --scenarios=1ms,1ms-long-both-failure
  --schemes=single-threshold,two-threshold-both --pairs=1 --senders=1
  --core-rate=50Gbps --layers=1 --layer-bytes=2MB --burst-bytes=2MB --bursts=1
  --buffer=6MB --t1=100kB --t2=300kB --maximum=1MB --long-round-trips=7
)
