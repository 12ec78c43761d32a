(* The rules that the kernel names, in words. *)

open Kernel

let text = function
  | W_above_64 -> "w is above 64"
  | Low_above_high -> "low is above high"
  | High_not_below_2_to_the_w -> "high is not below 2^w"
  | No_such_occupancy -> "there is no such occupancy"
  | First_above_second -> "first is above second"
  | Sees_above_w -> "an occupancy sees bits of m above w"
  | Leaves_its_bucket -> "an occupancy leaves its bucket"
  | Two_slots -> "the two occupancies are in two slots"
  | Equal_attack_sets -> "the attack sets are equal"
  | Slot_is_allowed -> "the slot is allowed"
  | Not_the_period -> "magics: 2^w is not the period"
  | Magics_leave_their_bucket -> "magics: an occupancy leaves its bucket"
  | Magics_in_a_slot_not_allowed -> "magics: a slot is not allowed"
  | Magics_conflict -> "magics: two occupancies conflict"
  | Shard_not_covered -> "the leaves do not cover the shard"
  | Roots_are_not_everything -> "the roots of the shards, in order, do not make up everything"
  | Not_a_question -> "there is no such cell"
  | Listed_above_the_period -> "listed magics: expected an interval below the period"
  | Listed_outside_the_shard -> "listed magics lie outside the shard"
  | Listed_twice -> "listed magics: one is listed twice"
  | Listed_and_counted_differ -> "listed magics: their number is not the one declared"
  | Magics_are_not_those_listed -> "the magics of the stream are not those listed"
