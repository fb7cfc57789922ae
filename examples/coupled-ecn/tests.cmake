# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment, most of them over RoCEv2: expected/NAME.json has what each
# must tell.

aidc_add_variant_test(dcqcn --transport=dcqcn)
aidc_add_variant_test(swift --transport=swift)
# Own files, by the transports that only incast had: 489 and 123 packets, and an
# acknowledgment for 16 of them, over two links each; for each packet with telemetry
foreach(transport hpcc timely none)
  aidc_add_variant_test(
    file-${transport} --transport=${transport} --schemes=coupled
    --topology=topologies/tor-8-12us.txt --flows=flows/pair.txt
  )
endforeach()
aidc_add_identical_test(
  example.${experiment}.dcqcn example.${experiment}.dcqcn.simulator
  ${aidc_run} --transport=dcqcn --simulator=default
)

# Claims of the draft, each with expectations that a scheme without the mechanism
# fails
aidc_add_variant_test(
  step --runs=3 --scenarios=step --duration=15ms
  --topology=topologies/tor-48-incast-200us.txt
  --schemes=static-best,red,coupled
)
set(static_thresholds 25kb 50kb 100kb 200kb 400kb 800kb 1600kb 3200kb)
list(TRANSFORM static_thresholds PREPEND "coupled=static-")
aidc_add_without_test(step ${static_thresholds} coupled=red)
aidc_add_variant_test(
  pauses --transport=dcqcn --scenarios=active-48 --duration=1ms
  --schemes=static-best,coupled
)
aidc_add_without_test(pauses ${static_thresholds})
aidc_add_variant_test(
  offset --runs=3 --offset=600kB --scenarios=active-48
  --duration=600us --schemes=coupled
)
aidc_add_variant_test(
  stale --runs=3 --ns3::aidc::SharedBuffer::PollInterval=50us
  --ns3::aidc::SharedBuffer::DecreaseAtOnce=true --scenarios=active-48
  --duration=600us --schemes=coupled
)

# The same files with several processes
aidc_add_processes_test(
  tcp 2 --scenarios=mix --topology=topologies/rails-16.txt
  --schemes=red,coupled
)
aidc_add_processes_test(
  lossless 2 --transport=dcqcn --scenarios=mix
  --topology=topologies/rails-16.txt --schemes=coupled
)
