(** * Words modulo 2^64, and the one fact about products that everything rests on

    A word is an integer from 0 to 2^64 - 1. All arithmetic here is that of the integers; where a
    machine would wrap, [mod 2 ^ 64] is written. *)

From Coq Require Import ZArith Lia.
Open Scope Z_scope.

Definition word (a : Z) : Prop := 0 <= a < 2 ^ 64.

(** The top [bits] bits of a word are its slot. A bucket is what has one slot. *)
Definition bucket (bits : Z) : Z := 2 ^ (64 - bits).

(** The product of a multiplicand [x] at [m], and its slot. *)
Definition value (x constant m : Z) : Z := (x * m + constant) mod 2 ^ 64.
Definition slot (bits x constant m : Z) : Z := value x constant m / bucket bits.

(** From [low] to [high] the product of [x] does not leave the bucket where it is at [low]. *)
Definition stays (bits x constant low high : Z) : Prop :=
  (x * low + constant) mod bucket bits + x * (high - low) < bucket bits.

(** Bits of m from number [w] on do not change the product of [x]. *)
Definition blind_above (x w : Z) : Prop := (x * 2 ^ w) mod 2 ^ 64 = 0.

(** ** What follows *)

Lemma bucket_positive bits : 0 <= bits <= 64 -> 0 < bucket bits.
Proof. intros; unfold bucket; apply Z.pow_pos_nonneg; lia. Qed.

Lemma buckets_fill_the_words bits : 0 <= bits <= 64 -> 2 ^ 64 = 2 ^ bits * bucket bits.
Proof. intros; unfold bucket; rewrite <- Z.pow_add_r by lia; f_equal; lia. Qed.

(** The place in the bucket may be read before or behind the wrapping at 2^64. *)
Lemma place_in_bucket bits a :
  0 <= bits <= 64 -> (a mod 2 ^ 64) mod bucket bits = a mod bucket bits.
Proof.
  intros H. pose proof (bucket_positive bits H).
  rewrite (buckets_fill_the_words bits H), Z.mul_comm.
  rewrite Z.rem_mul_r by (try apply Z.pow_nonzero; lia).
  rewrite Z.mul_comm, Z.mod_add by lia. apply Z.mod_mod; lia.
Qed.

(** Monotony, behind "it stays in its bucket": as m grows from [low] to [high] the product grows, by
    at most x (high - low); if that does not reach the bucket's end, the slot is one all the way. *)
Lemma staying bits x constant low high m :
  0 <= bits <= 64 -> 0 <= x -> stays bits x constant low high -> low <= m <= high ->
  slot bits x constant m = slot bits x constant low.
Proof.
  unfold stays, slot, value. intros Hb Hx Hs Hm.
  pose proof (bucket_positive bits Hb) as HB.
  set (a := x * low + constant) in *.
  replace (x * m + constant) with (a + x * (m - low)) by (unfold a; ring).
  assert (Hd : 0 <= x * (m - low) <= x * (high - low)) by nia.
  set (d := x * (m - low)) in *.
  rewrite <- place_in_bucket in Hs by assumption.
  set (v := a mod 2 ^ 64) in *.
  assert (Hv : 0 <= v < 2 ^ 64) by (apply Z.mod_pos_bound; lia).
  assert (Hroom : v + d < 2 ^ 64).
  { rewrite (buckets_fill_the_words bits Hb) in Hv |- *.
    pose proof (Z.div_mod v (bucket bits) ltac:(lia)).
    pose proof (Z.mod_pos_bound v (bucket bits) HB).
    assert (v / bucket bits < 2 ^ bits) by (apply Z.div_lt_upper_bound; lia).
    nia. }
  assert (Hw : (a + d) mod 2 ^ 64 = v + d).
  { rewrite <- Z.add_mod_idemp_l by lia. fold v. apply Z.mod_small; lia. }
  rewrite Hw.
  pose proof (Z.div_mod v (bucket bits) ltac:(lia)).
  pose proof (Z.mod_pos_bound v (bucket bits) HB).
  symmetry; apply Z.div_unique with (r := v mod bucket bits + d); lia.
Qed.

(** Only m modulo 2^w counts, if the multiplicand is blind above. *)
Lemma only_the_low_bits_count bits x constant w m :
  0 <= w -> blind_above x w ->
  slot bits x constant (m mod 2 ^ w) = slot bits x constant m.
Proof.
  unfold slot, value, blind_above. intros Hw Hx. f_equal.
  assert (H2 : 2 ^ w <> 0) by (apply Z.pow_nonzero; lia).
  rewrite (Z.div_mod m (2 ^ w) H2) at 2.
  replace (x * (2 ^ w * (m / 2 ^ w) + m mod 2 ^ w) + constant)
    with (x * (m mod 2 ^ w) + constant + x * 2 ^ w * (m / 2 ^ w)) by ring.
  rewrite <- (Z.add_mod_idemp_r _ (x * 2 ^ w * _)) by lia.
  rewrite <- (Z.mul_mod_idemp_l (x * 2 ^ w)) by lia.
  rewrite Hx. simpl (0 * _ mod _). now rewrite Z.add_0_r.
Qed.

(** Both together, for a leaf. *)
Lemma slot_on_a_leaf bits x constant w low high m :
  0 <= bits <= 64 -> 0 <= x -> 0 <= w -> blind_above x w ->
  stays bits x constant low high -> low <= m mod 2 ^ w <= high ->
  slot bits x constant m = slot bits x constant low.
Proof.
  intros. rewrite <- (only_the_low_bits_count bits x constant w m) by assumption.
  eapply staying; eauto.
Qed.

Lemma blind_above_more x w w' : 0 <= w <= w' -> blind_above x w -> blind_above x w'.
Proof.
  unfold blind_above. intros H Hx.
  replace w' with (w + (w' - w)) by lia.
  rewrite Z.pow_add_r, Z.mul_assoc by lia.
  rewrite <- Z.mul_mod_idemp_l, Hx by lia. now rewrite Z.mul_0_l.
Qed.
