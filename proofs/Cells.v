(** * Cells: schemes, indexes, magics

    What a magic is, in the words of an engine, with nothing of certificates in it. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Board.
Import ListNotations.
Open Scope Z_scope.

Inductive scheme := White | Constant (added : Z) | Black.

Record cell := {
  its_scheme : scheme;
  its_piece : piece;
  its_square : Z;
  its_bits : Z;
  largest_index : Z;
}.

Definition mask_of (c : cell) : Z := mask (its_piece c) (its_square c).
Definition attacks (c : cell) (occupied : Z) : Z := attack_set (its_piece c) (its_square c) occupied.

(** The word ~a. *)
Definition complement (a : Z) : Z := 2 ^ 64 - 1 - a.

(** What an engine computes, [((occ & mask) * m) >> (64 - bits)] and its two relatives. *)
Definition index (c : cell) (m occupied : Z) : Z :=
  let hashed :=
    match its_scheme c with
    | White => Z.land occupied (mask_of c) * m
    | Constant added => Z.land occupied (mask_of c) * m + added
    | Black => Z.lor occupied (complement (mask_of c)) * m
    end in
  (hashed mod 2 ^ 64) / 2 ^ (64 - its_bits c).

(** m is a magic: no index is too large, and where two boards have one index, they have one attack
    set. Boards are all 2^64 of them, not only the subsets of the mask. *)
Definition magic (c : cell) (m : Z) : Prop :=
  (forall o, word o -> index c m o <= largest_index c) /\
  (forall o o', word o -> word o' ->
     index c m o = index c m o' -> attacks c o = attacks c o').

(** What is a question at all. *)
Definition is_a_question (c : cell) : bool :=
  (0 <=? its_square c) && (its_square c <? 64) && (1 <=? its_bits c) && (its_bits c <=? 32)
  && (0 <=? largest_index c) && (largest_index c <? 2 ^ its_bits c)
  && match its_scheme c with Constant a => (0 <=? a) && (a <? 2 ^ 64) | _ => true end.

(** ** The same with multiplicands

    Certificates say it another way: an occupancy o (a subset of the mask) has a multiplicand, the
    scheme a constant, and the slot is that of [Words.slot]. *)
Definition multiplicand (c : cell) (o : Z) : Z :=
  match its_scheme c with
  | Black => Z.ldiff (mask_of c) o + 1
  | _ => o
  end.

Definition constant (c : cell) : Z :=
  match its_scheme c with White => 0 | Constant added => added | Black => 2 ^ 64 - 1 end.

(** The slots that are allowed. *)
Definition least_slot (c : cell) : Z :=
  match its_scheme c with Black => 2 ^ its_bits c - 1 - largest_index c | _ => 0 end.
Definition most_slot (c : cell) : Z :=
  match its_scheme c with Black => 2 ^ its_bits c - 1 | _ => largest_index c end.

Definition slot_of (c : cell) (m o : Z) : Z :=
  slot (its_bits c) (multiplicand c o) (constant c) m.

(** ** What follows *)

Lemma pow64 : 2 ^ 64 = 18446744073709551616.
Proof. reflexivity. Qed.

(** The complement, bit by bit. *)
Lemma complement_is_lnot a : complement a = 2 ^ 64 + Z.lnot a.
Proof. unfold complement, Z.lnot. lia. Qed.

(** [o | ~mask] is [-(mask & ~o) - 1], modulo 2^64. *)
Lemma black_word o mk :
  word o -> word mk -> Z.lor o (complement mk) = 2 ^ 64 - (Z.ldiff mk o + 1).
Proof.
  intros Ho Hm.
  assert (Hc : complement mk = Z.ldiff (Z.ones 64) mk).
  {
    unfold complement. replace (2 ^ 64 - 1) with (Z.ones 64) by reflexivity.
    apply Z.sub_nocarry_ldiff.
    apply Z.bits_inj'; intros i Hi. rewrite Z.ldiff_spec, Z.bits_0.
    destruct (Z.le_gt_cases 64 i).
    - rewrite <- (Z.mod_small mk (2 ^ 64)) by exact Hm.
      now rewrite Z.mod_pow2_bits_high by lia.
    - rewrite Z.ones_spec_low by lia. now rewrite andb_false_r. }
  assert (Hd : Z.lor o (complement mk) = Z.ldiff (Z.ones 64) (Z.ldiff mk o)).
  { rewrite Hc. apply Z.bits_inj'; intros i Hi. rewrite Z.lor_spec, !Z.ldiff_spec.
    destruct (Z.le_gt_cases 64 i).
    - rewrite Z.ones_spec_high by lia. simpl. rewrite orb_false_r.
      rewrite <- (Z.mod_small o (2 ^ 64)) by exact Ho.
      now rewrite Z.mod_pow2_bits_high by lia.
    - rewrite Z.ones_spec_low by lia.
      now destruct (Z.testbit o i), (Z.testbit mk i). }
  rewrite Hd, <- Z.sub_nocarry_ldiff.
  - rewrite Z.ones_equiv. lia.
  - apply Z.bits_inj'; intros i Hi. rewrite !Z.ldiff_spec, Z.bits_0.
    destruct (Z.le_gt_cases 64 i).
    + rewrite <- (Z.mod_small mk (2 ^ 64)) by exact Hm.
      now rewrite Z.mod_pow2_bits_high by lia.
    + rewrite Z.ones_spec_low by lia. now rewrite andb_false_r.
Qed.

(** -a modulo 2^64 is ~(a - 1). *)
Lemma negated a : (- a) mod 2 ^ 64 = 2 ^ 64 - 1 - (a + (2 ^ 64 - 1)) mod 2 ^ 64.
Proof.
  pose proof (Z.mod_pos_bound (a + (2 ^ 64 - 1)) (2 ^ 64) ltac:(lia)).
  pose proof (Z.div_mod (a + (2 ^ 64 - 1)) (2 ^ 64) ltac:(lia)).
  symmetry. apply Z.mod_unique with (q := - ((a + (2 ^ 64 - 1)) / 2 ^ 64)); lia.
Qed.

(** Counting words from the end counts slots from the end. *)
Lemma slot_from_the_end bits v :
  0 <= bits <= 64 -> 0 <= v < 2 ^ 64 ->
  (2 ^ 64 - 1 - v) / bucket bits = 2 ^ bits - 1 - v / bucket bits.
Proof.
  intros Hb Hv. pose proof (bucket_positive bits Hb).
  rewrite (buckets_fill_the_words bits Hb).
  pose proof (Z.div_mod v (bucket bits) ltac:(lia)).
  pose proof (Z.mod_pos_bound v (bucket bits) ltac:(lia)).
  symmetry. apply Z.div_unique with (r := bucket bits - 1 - v mod bucket bits); [lia|nia].
Qed.

(** "Black is white in disguise": black's index is a slot with multiplicand (mask & ~o) + 1 and
    constant 2^64 - 1, counted from the other end. *)
Theorem black_is_white_with_a_constant c m o :
  its_scheme c = Black -> 0 <= its_bits c <= 64 -> word o ->
  index c m o = 2 ^ its_bits c - 1 - slot_of c m o.
Proof.
  intros E Hb Ho. unfold index, slot_of, slot, value, multiplicand, constant. rewrite E.
  set (x := Z.ldiff (mask_of c) o + 1).
  rewrite black_word by (auto; apply mask_is_a_word). fold x.
  replace ((2 ^ 64 - x) * m) with (- (x * m) + m * 2 ^ 64) by ring.
  rewrite Z.mod_add, negated by lia.
  apply slot_from_the_end; [assumption|]. apply Z.mod_pos_bound; lia.
Qed.

Lemma others_are_as_they_are c m o :
  its_scheme c <> Black -> index c m o = slot_of c m (Z.land o (mask_of c)).
Proof.
  intros E. unfold index, slot_of, slot, value, multiplicand, constant, bucket.
  destruct (its_scheme c); [|easy|easy]. now rewrite Z.add_0_r.
Qed.

Lemma land_is_a_word a b : word a -> 0 <= b -> word (Z.land a b).
Proof.
  intros [H1 H2] Hb. split; [apply Z.land_nonneg; auto|].
  apply below_by_bits; [apply Z.land_nonneg; auto|lia|].
  intros i Hi. rewrite Z.land_spec, <- (Z.mod_small a (2 ^ 64)) by lia.
  now rewrite Z.mod_pow2_bits_high by lia.
Qed.

(** A board's index says its slot and the other way round. *)
Definition index_of_slot (c : cell) (s : Z) : Z :=
  match its_scheme c with Black => 2 ^ its_bits c - 1 - s | _ => s end.

Lemma index_is_slot c m o :
  0 <= its_bits c <= 64 -> word o ->
  index c m o = index_of_slot c (slot_of c m (Z.land o (mask_of c))).
Proof.
  intros Hb Ho. unfold index_of_slot. destruct (its_scheme c) eqn:E.
  1, 2: apply others_are_as_they_are; congruence.
  rewrite black_is_white_with_a_constant by assumption.
  unfold slot_of, multiplicand. rewrite E. do 3 f_equal.
  apply Z.bits_inj'; intros i Hi. rewrite !Z.ldiff_spec, Z.land_spec.
  now destruct (Z.testbit o i), (Z.testbit (mask_of c) i).
Qed.

(** The subsets of the mask. *)
Definition occupancy (c : cell) (o : Z) : Prop := word o /\ Z.land o (mask_of c) = o.

Lemma land_is_an_occupancy c o : word o -> occupancy c (Z.land o (mask_of c)).
Proof.
  intros Ho. split.
  - apply land_is_a_word; [assumption|]. apply mask_is_a_word.
  - now rewrite <- Z.land_assoc, Z.land_diag.
Qed.

Lemma slot_in_range bits x added m :
  0 <= bits <= 64 -> 0 <= slot bits x added m < 2 ^ bits.
Proof.
  intros Hb. pose proof (bucket_positive bits Hb). unfold slot, value.
  pose proof (Z.mod_pos_bound (x * m + added) (2 ^ 64) ltac:(lia)).
  rewrite (buckets_fill_the_words bits Hb) in *.
  split; [apply Z.div_pos; lia|apply Z.div_lt_upper_bound; lia].
Qed.

(** A magic, said with slots and the subsets of the mask only. *)
Theorem magic_in_slots c m :
  0 <= its_bits c <= 64 ->
  magic c m <->
  (forall o, occupancy c o -> least_slot c <= slot_of c m o <= most_slot c) /\
  (forall o o', occupancy c o -> occupancy c o' ->
     slot_of c m o = slot_of c m o' -> attacks c o = attacks c o').
Proof.
  intros Hb.
  assert (Hi : forall o, occupancy c o -> index c m o = index_of_slot c (slot_of c m o)).
  { intros o [Hw Hm]. rewrite index_is_slot by assumption. now rewrite Hm. }
  assert (Hr : forall o, 0 <= slot_of c m o < 2 ^ its_bits c) by (intros; now apply slot_in_range).
  assert (Hl : forall s, index_of_slot c s <= largest_index c /\ 0 <= s < 2 ^ its_bits c <->
                         least_slot c <= s <= most_slot c /\ 0 <= s < 2 ^ its_bits c).
  { intros s. unfold index_of_slot, least_slot, most_slot. destruct (its_scheme c); lia. }
  unfold magic. split; intros [Hlow Hsame]; split.
  - intros o Ho. apply Hl. rewrite <- Hi by assumption. split; [|apply Hr]. apply Hlow, Ho.
  - intros o o' Ho Ho' E. apply Hsame; [apply Ho|apply Ho'|]. rewrite !Hi by assumption. congruence.
  - intros o Ho. rewrite index_is_slot by assumption.
    apply Hl. split; [|apply Hr]. apply Hlow, land_is_an_occupancy, Ho.
  - intros o o' Ho Ho' E. rewrite !index_is_slot in E by assumption.
    unfold attacks. rewrite <- (attacks_within_the_mask _ _ o), <- (attacks_within_the_mask _ _ o').
    apply Hsame; try (now apply land_is_an_occupancy).
    unfold index_of_slot in E. destruct (its_scheme c); unfold mask_of in *; lia.
Qed.
