# SPDX-License-Identifier: GPL-2.0-only
#
# Variants of the experiment, most of them over RoCEv2: expected/NAME.json has what each
# must tell.

aidc_add_variant_test(
  dcqcn --transport=dcqcn --scenarios=elephants,failure
)
aidc_add_variant_test(
  selective-repeat --transport=dcqcn --recovery=selective-repeat
  --scenarios=elephants
)
aidc_add_variant_test(
  swift --transport=swift --scenarios=elephants
)
aidc_add_variant_test(
  strategies --runs=5 --scenarios=elephants,saturated,asymmetric
  --schemes=hash-ecmp,flow-set,flow-set-literal,flow-set-full,flow-set-none
)
# What the chapters say of the drafts' claims, in small
aidc_add_variant_test(
  claims --runs=10 --scenarios=load-80,elephants
  --schemes=hash-ecmp,spray,flow-set,flow-set-full,flow-set-none
  --against=hash-ecmp
)
aidc_add_without_test(
  claims flow-set=hash-ecmp flow-set=spray flow-set=flow-set-none
)
aidc_add_variant_test(
  long-interval --runs=5 --rate=1Gbps --elephant-size=20MB
  --scenarios=elephants --schemes=hash-ecmp,flow-set,flow-set-none
  --interval=10ms --against=hash-ecmp
)
aidc_add_without_test(
  long-interval flow-set=hash-ecmp flow-set=flow-set-none
)

# The same files with several processes
aidc_add_processes_test(
  tcp 2 --scenarios=failure --duration=100us
  --schemes=hash-ecmp,flow-set-flowlet
)
aidc_add_processes_test(
  stack 2 --datapath=stack --transport=dcqcn --scenarios=failure
  --duration=100us --schemes=flow-set
)
aidc_add_processes_test(
  point-to-point 2 --devices=point-to-point --scenarios=failure
  --duration=100us --schemes=flow-set
)
aidc_add_processes_test(
  four 4 --scenarios=fat-tree --duration=50us --schemes=spray
)
