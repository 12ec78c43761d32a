(** * The rounding lemma, L5 and L6: relations that differ in the head's place only

    proofs/rounding-lemma.md, "Many relations at once". One lookup stands for four relations: the head is
    added to neither side, to the moving one, to the fixed one, or to both. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Rounding.
Open Scope Z_scope.

(** L5: below a word of the second square's usual cells, which begins at T, the head's product is a
    multiple A of units_on units, plus less than units_on units. GRID is 6, a unit 2^(shift - 6). *)
Theorem L5 shift C head e T q m :
  0 <= C <= 4 -> 6 <= shift -> 0 <= head -> 0 <= e -> head + 8 + e = shift - C ->
  T = q * 2 ^ (e + 6) -> 0 <= m - T < 2 ^ (e + 6) ->
  let U := 2 ^ (shift - 6) in
  let units_on := 2 ^ (4 - C) in
  2 ^ head * T = q * units_on * U /\ 0 <= 2 ^ head * (m - T) < units_on * U.
Proof.
  intros HC Hs Hh He Hsum -> Hm U units_on.
  assert (E : 2 ^ head * 2 ^ (e + 6) = units_on * U).
  { unfold units_on, U. rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
  assert (0 < 2 ^ head) by (apply Z.pow_pos_nonneg; lia).
  split; [rewrite <- Z.mul_assoc, <- E; ring|]. rewrite <- E. nia.
Qed.

Section Merged.

Variable bits : Z.
Hypothesis few : 0 <= bits <= 64.
Let B := bucket bits.
Let HB : 0 < B := bucket_positive bits few.

Variables U per_cell in_bucket : Z.
Hypothesis HU : 0 < U.
Hypothesis Hper : 0 < per_cell.
Hypothesis Hin : 0 < in_bucket.
Hypothesis HBU : B = in_bucket * (per_cell * U).

Variables added base below span m j K : Z.
Hypothesis HK : K = per_cell * U.
Hypothesis in_node : 0 <= m - base <= below.

Let v (pattern : Z) := pattern * base + added.

(** The fixed side in general: what is added to the pattern's product is whole buckets, 4 g U, and a
    rest. *)
Lemma fixed_in_general R F Phi g rest moved :
  0 <= R -> F = Phi * B + 4 * g * U + rest -> 0 <= rest -> rest <= moved ->
  (v R + 4 * g * U) mod B + R * below + moved < B ->
  (R * m + added + F) / B = (v R + 4 * g * U) / B + Phi.
Proof.
  intros HR -> H0 Hrest Hs. set (f := v R + 4 * g * U) in *.
  pose proof HB as HB'. pose proof (Z.div_mod f B ltac:(lia)) as Hd.
  pose proof (Z.mod_pos_bound f B HB') as Hm.
  assert (Hline : 0 <= R * (m - base) <= R * below) by nia.
  assert (Ef : R * m + added = v R + R * (m - base)) by (unfold v; ring).
  symmetry. apply Z.div_unique with (r := f mod B + R * (m - base) + rest); [lia|].
  rewrite Ef. unfold f in *. nia.
Qed.

(** The moving side in general: what is added is Phi buckets, Y and the way in cell j. *)
Lemma moving_in_general r Y Phi way :
  0 <= r -> j * K <= way < j * K + span ->
  let last := (v r mod U + r * below + span + U - 1) / U in
  let a := v r / U + Y / U + j * per_cell in
  let b := a + last in
  b / per_cell <= a / per_cell + in_bucket ->
  (r * m + added + (Phi * B + Y + way)) / B = (a / per_cell) / in_bucket + Phi \/
  (r * m + added + (Phi * B + Y + way)) / B = (b / per_cell) / in_bucket + Phi.
Proof.
  intros Hr Hway last a b Hab. pose proof HB as HB'.
  assert (Hline : 0 <= r * (m - base) <= r * below) by nia.
  pose proof (Z.div_mod (v r) U ltac:(lia)) as Hv. pose proof (Z.mod_pos_bound (v r) U HU) as Hvm.
  pose proof (Z.div_mod Y U ltac:(lia)) as Hy. pose proof (Z.mod_pos_bound Y U HU) as Hym.
  set (rest := v r mod U + Y mod U + r * (m - base) + (way - j * K)).
  assert (Ef : r * m + added = v r + r * (m - base)) by (unfold v; ring).
  assert (E : r * m + added + (Phi * B + Y + way) = a * U + rest + Phi * B).
  { rewrite Ef. unfold rest, a. rewrite HK. nia. }
  assert (Hrest : 0 <= rest < (last + 1) * U).
  { assert (Hl : v r mod U + r * below + span + U - 1 < (last + 1) * U).
    { unfold last. set (n := v r mod U + r * below + span + U - 1).
      pose proof (Z.div_mod n U ltac:(lia)). pose proof (Z.mod_pos_bound n U HU). lia. }
    unfold rest. lia. }
  rewrite E, Z.div_add by lia.
  assert (Eb : (b + 1) * U = a * U + (last + 1) * U) by (unfold b; ring).
  destruct (L2 bits U per_cell in_bucket a b (a * U + rest) HU Hper Hin HBU Hab) as [H|H];
    [lia|rewrite Eb; lia|left; fold B in H; lia|right; fold B in H; lia].
Qed.

(* The head's product at T is A, and h more at m: L5. *)
Variables head T units_on A h n : Z.
Hypothesis Hon : 0 < units_on.
Hypothesis HA : A = n * units_on * U.
Hypothesis HAT : 2 ^ head * T = A.
Hypothesis Hh : h = 2 ^ head * (m - T).
Hypothesis h_small : 0 <= h < units_on * U.
Hypothesis on_divides : exists k, 4 = k * units_on.
Hypothesis four_in_bucket : exists k, B = k * (4 * U).

(* The moving side without the head; where the head is. *)
Variables moving S : Z.
Hypothesis in_cell : j * K <= moving * (m - S) < j * K + span.
Variables on_moving on_fixed : bool.

Let if_moving (a : Z) := if on_moving then a else 0.
Let if_fixed (a : Z) := if on_fixed then a else 0.
Let Phi := if_fixed (A / B).
Let g := if_fixed ((A mod B) / (4 * U)).
Let moved := if_fixed (4 * U).
Let moving_sum := moving + if_moving (2 ^ head).
Let fixed_sum := if_fixed (2 ^ head).

Definition sure_merged (R : Z) : Prop := (v R + 4 * g * U) mod B + R * below + moved < B.

(** The shift, as D8 has it, [on] units further: [kept] asks for all of them. *)
Definition shift_merged (on : Z) : Z :=
  (moving * S) / U + if_moving (A / U + on) - Phi * (B / U).

(** What the table's bit says of a shift: some r and sure R, R', as in L4. *)
Definition ruled_out (r shift R R' : Z) : Prop :=
  let last := (v r mod U + r * below + span + U - 1) / U in
  let a := v r / U + shift + j * per_cell in
  let b := a + last in
  0 <= r /\ 0 <= R /\ 0 <= R' /\ sure_merged R /\ sure_merged R' /\
  b / per_cell <= a / per_cell + in_bucket /\
  ((a / per_cell) / in_bucket) mod 2 ^ bits = ((v R + 4 * g * U) / B) mod 2 ^ bits /\
  ((b / per_cell) / in_bucket) mod 2 ^ bits = ((v R' + 4 * g * U) / B) mod 2 ^ bits.

Lemma fixed_merged R :
  0 <= R -> sure_merged R -> ((R + fixed_sum) * m + added) / B = (v R + 4 * g * U) / B + Phi.
Proof.
  intros HR Hs. pose proof HB as HB'.
  replace ((R + fixed_sum) * m + added) with (R * m + added + fixed_sum * m) by ring.
  unfold sure_merged in Hs. destruct on_fixed eqn:Ef.
  - set (phi := A mod B) in *.
    assert (Hphi : A = A / B * B + phi).
    { unfold phi. pose proof (Z.div_mod A B ltac:(lia)). lia. }
    (* phi and 4 g U are multiples of units_on U *)
    assert (Hg : 0 <= phi - 4 * g * U /\ phi - 4 * g * U + units_on * U <= 4 * U).
    { unfold g, if_fixed. destruct on_divides as [k Hk], four_in_bucket as [k' Hk'].
      pose proof (Z.div_mod phi (4 * U) ltac:(lia)) as Hd.
      pose proof (Z.mod_pos_bound phi (4 * U) ltac:(lia)) as Hr.
      set (d := phi / (4 * U)) in *. set (rem := phi mod (4 * U)) in *.
      split; [lia|].
      assert (Em : rem = (n - A / B * k' * k - d * k) * (units_on * U)).
      { assert (4 * U * d = d * k * (units_on * U)) by (rewrite Hk; ring).
        assert (A / B * B = A / B * k' * k * (units_on * U)) by (rewrite Hk' at 2; rewrite Hk; ring).
        nia. }
      assert (4 * U = k * (units_on * U)) by (rewrite Hk; ring).
      set (z := n - A / B * k' * k - d * k) in *. set (W := units_on * U) in *.
      assert (0 < W) by (unfold W; apply Z.mul_pos_pos; lia).
      assert (z < k) by (apply Z.mul_lt_mono_pos_r with W; lia).
      assert ((z + 1) * W <= k * W) by (apply Z.mul_le_mono_nonneg_r; lia).
      lia. }
    apply fixed_in_general with (rest := phi - 4 * g * U + h) (moved := moved); auto.
    + unfold fixed_sum, if_fixed, Phi, if_fixed. rewrite Hh.
      replace (2 ^ head * m) with (A + 2 ^ head * (m - T)) by (rewrite <- HAT; ring). lia.
    + lia.
    + unfold moved, if_fixed. lia.
  - assert (E0 : fixed_sum * m = Phi * B + 4 * g * U + 0).
    { unfold fixed_sum, Phi, g, if_fixed. rewrite ?Ef. lia. }
    assert (E1 : moved = 0) by (unfold moved, if_fixed; now rewrite ?Ef).
    apply fixed_in_general with (rest := 0) (moved := moved); auto; lia.
Qed.

Lemma moving_merged : exists on, 0 <= on <= units_on /\ (on_moving = false -> on = 0) /\
  exists Y, Y / U = shift_merged on /\
    moving_sum * m = Phi * B + Y + moving * (m - S).
Proof.
  pose proof HB as HB'.
  assert (EB : B = B / U * U).
  { rewrite HBU. rewrite (Z.mul_assoc in_bucket), Z.div_mul by lia. reflexivity. }
  assert (EA : A = A / U * U) by (rewrite HA; rewrite Z.div_mul by lia; reflexivity).
  pose proof (Z.div_mod (moving * S) U ltac:(lia)) as Hd.
  pose proof (Z.mod_pos_bound (moving * S) U HU) as Hr.
  set (y := moving * S / U) in *. set (rho := (moving * S) mod U) in *.
  exists (if_moving ((rho + h) / U)). split; [|split].
  - unfold if_moving. destruct on_moving; [|lia]. split; [apply Z.div_pos; lia|].
    assert ((rho + h) / U < units_on + 1) by (apply Z.div_lt_upper_bound; nia). lia.
  - unfold if_moving. now intros ->.
  - exists (moving * S + if_moving (A + h) - Phi * B). split.
    + unfold shift_merged, if_moving. fold y. destruct on_moving.
      * rewrite Hd. rewrite EB at 1.
        replace (U * y + rho + (A + h) - Phi * (B / U * U))
          with (rho + h + (y + A / U - Phi * (B / U)) * U) by (rewrite EA at 2; ring).
        rewrite Z.div_add by lia. lia.
      * rewrite Hd. rewrite EB at 1.
        replace (U * y + rho + 0 - Phi * (B / U * U)) with (rho + (y - Phi * (B / U)) * U) by ring.
        rewrite Z.div_add, Z.div_small by lia. lia.
    + unfold moving_sum, if_moving. destruct on_moving; [|ring].
      rewrite Hh. rewrite <- HAT. ring.
Qed.

(** L6: a cell that a merged bit rules out is dead. *)
Theorem L6 :
  (forall on, 0 <= on <= units_on -> (on_moving = false -> on = 0) ->
     exists r R R', ruled_out r (shift_merged on) R R') ->
  exists r R, sure_merged R /\
    slot bits (r + moving_sum) added m = slot bits (R + fixed_sum) added m.
Proof.
  intros H. assert (H2 : 2 ^ bits <> 0) by (apply Z.pow_nonzero; lia).
  destruct moving_merged as (on & Hon1 & Hon2 & Y & HY & Em).
  destruct (H on Hon1 Hon2) as (r & R & R' & Hr & HR & HR' & Hs & Hs' & Hab & Ea & Eb).
  rewrite <- HY in *.
  assert (Er : (r + moving_sum) * m + added = r * m + added + (Phi * B + Y + moving * (m - S))).
  { rewrite <- Em. ring. }
  destruct (moving_in_general r Y Phi (moving * (m - S)) Hr in_cell Hab) as [E|E];
    [exists r, R|exists r, R']; (split; [assumption|]);
    rewrite !(slots_by_quotients bits few), Er; fold B; rewrite E, fixed_merged by assumption;
    rewrite Z.add_mod, ?Ea, ?Eb, <- Z.add_mod by assumption; reflexivity.
Qed.

End Merged.
