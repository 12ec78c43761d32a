(** * The rounding lemma, in parts

    Statements of proofs/rounding-lemma.md, under the names they have there: L1 to L4, L9 and L10. L5 and L6
    are in [Merged]; L7, L8 and L11 are proved there only. Products are not wrapped in these lemmas; [slots_by_quotients]
    says what wrapping does to them: slots count modulo 2^bits. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Lemmas.
Open Scope Z_scope.

Section Rounding.

Variable bits : Z.
Hypothesis few : 0 <= bits <= 64.
Let B := bucket bits.
Let HB : 0 < B := bucket_positive bits few.

Theorem slots_by_quotients x added m :
  slot bits x added m = ((x * m + added) / B) mod 2 ^ bits.
Proof.
  unfold slot, value. fold B. set (a := x * m + added).
  rewrite (buckets_fill_the_words bits few). fold B.
  pose proof HB. assert (H2 : 0 < 2 ^ bits) by (apply Z.pow_pos_nonneg; lia).
  rewrite Z.mul_comm, Z.rem_mul_r by lia.
  symmetry. apply Z.div_unique with (r := a mod B); [left; apply Z.mod_pos_bound; lia|ring].
Qed.

(** L1: who stays has one slot. It is [Words.staying]. *)
Theorem L1 x added low high m :
  0 <= x -> (x * low + added) mod B + x * (high - low) < B -> low <= m <= high ->
  slot bits x added m = slot bits x added low.
Proof. intros. now apply (staying bits x added low high m). Qed.

(** L2: a stretch of the products begins in unit [a] and ends in unit [b]. Cut the products in cells
    of [per_cell] units, [in_bucket] of them to a bucket. If the two cells are at most a bucket apart,
    all of the stretch lies in the one's slot or in the other's. *)
Theorem L2 unit per_cell in_bucket a b v :
  0 < unit -> 0 < per_cell -> 0 < in_bucket -> B = in_bucket * (per_cell * unit) ->
  b / per_cell <= a / per_cell + in_bucket ->
  a * unit <= v -> v < (b + 1) * unit ->
  v / B = (a / per_cell) / in_bucket \/ v / B = (b / per_cell) / in_bucket.
Proof.
  intros Hu Hp Hi E Hab Ha Hb.
  assert (Hv : a <= v / unit <= b).
  { split; [apply Z.div_le_lower_bound; lia|].
    assert (v / unit < b + 1) by (apply Z.div_lt_upper_bound; lia). lia. }
  assert (Ev : v / B = v / unit / per_cell / in_bucket).
  { rewrite !Z.div_div by lia. f_equal. rewrite E. ring. }
  rewrite Ev.
  assert (a / per_cell <= v / unit / per_cell <= b / per_cell)
    by (split; apply Z.div_le_mono; lia).
  set (ca := a / per_cell) in *. set (cb := b / per_cell) in *. set (cv := v / unit / per_cell) in *.
  assert (H1 : ca / in_bucket <= cv / in_bucket) by (apply Z.div_le_mono; lia).
  assert (H2 : cv / in_bucket <= cb / in_bucket) by (apply Z.div_le_mono; lia).
  assert (H3 : cb / in_bucket <= (ca + 1 * in_bucket) / in_bucket) by (apply Z.div_le_mono; lia).
  rewrite Z.div_add in H3 by lia. lia.
Qed.

(** L3, drift. The chain's squares before s are s - 8, s - 16, ...; [part] is a sum of some of them. A word
    has 64 cells of 2^e values of m, and K = 2^(s + e). *)
Fixpoint squares_before (n : nat) (s : Z) : Z :=
  match n with O => 0 | S n => 2 ^ (s - 8) + squares_before n (s - 8) end.

Lemma squares_before_are_small n : forall s,
  8 * Z.of_nat n <= s -> 0 <= squares_before n s /\ 255 * squares_before n s < 2 ^ s.
Proof.
  induction n as [|n IH]; cbn [squares_before]; intros s Hs.
  - split; [lia|]. apply Z.pow_pos_nonneg; lia.
  - destruct (IH (s - 8)) as [H1 H2]; [lia|].
    assert (E : 2 ^ s = 2 ^ (s - 8) * 256).
    { change 256 with (2 ^ 8). rewrite <- Z.pow_add_r by lia. f_equal. lia. }
    lia.
Qed.

(** They move by less than K/4 + slack, where slack is at least K/1020: both sides times 4. *)
Theorem L3 n s e part m S K slack :
  0 <= e -> 8 * Z.of_nat n <= s -> 0 <= part <= squares_before n s ->
  0 <= m - S < 64 * 2 ^ e -> K = 2 ^ (s + e) -> K <= 1020 * slack ->
  4 * (part * (m - S)) < K + 4 * slack.
Proof.
  intros He Hs Hpart Hm HK Hslack.
  destruct (squares_before_are_small n s Hs) as [_ H].
  assert (H2 : 0 < 2 ^ e) by (apply Z.pow_pos_nonneg; lia).
  assert (HK' : K = 2 ^ s * 2 ^ e) by (rewrite HK, Z.pow_add_r; lia).
  assert (H4 : 255 * part < 2 ^ s) by lia.
  assert (H5 : 255 * part * (m - S) <= 2 ^ s * (64 * 2 ^ e - 1)) by (apply Z.mul_le_mono_nonneg; lia).
  assert (0 < 2 ^ s) by lia. nia.
Qed.

(** L4, a relation. Names are those of the document: a node from [base] on, [below] long; a word that
    begins at [S], its cells [K] apart for the stage's square; [r] and [R] patterns of the line, [moving]
    and [fixed] sums of squares of the chain. *)
Section Relation.

Variables U per_cell in_bucket : Z.
Hypothesis HU : 0 < U.
Hypothesis Hper : 0 < per_cell.
Hypothesis Hin : 0 < in_bucket.
Hypothesis HBU : B = in_bucket * (per_cell * U).

Variables added base below S K drift slack : Z.
Hypothesis HK : K = per_cell * U.

(* D5: the fixed side's sum, in buckets and the rest; the moving one's, without those buckets. *)
Variables moving fixed : Z.
Let Phi := (fixed * S) / B.
Let phi := (fixed * S) mod B.
Let Y := moving * S - Phi * B.
Let y := Y / U.
Let rho := Y mod U.
Let g := phi / (4 * U).

(* D6 *)
Let v (pattern : Z) := pattern * base + added.
Let span := K + drift + slack.
Let moved := if fixed =? 0 then 0 else 4 * U + drift + slack.
Let fixed_value (R : Z) := v R + 4 * g * U.
Definition sure (R : Z) : Prop := fixed_value R mod B + R * below + moved < B.
Let sigma (R : Z) := fixed_value R / B.
Let at_ (r : Z) := v r / U.
Let last (r : Z) := (v r mod U + r * below + span + U - 1) / U.

(* m in the node and in cell j of the word; by L3 the other squares move by less than drift + slack *)
Variables m j : Z.
Hypothesis in_node : 0 <= m - base <= below.
Hypothesis fixed_drift : 0 <= fixed * (m - S) < drift + slack.
Hypothesis in_cell : j * K <= moving * (m - S) < j * K + span.

Lemma fixed_side R : 0 <= R -> sure R -> ((R + fixed) * m + added) / B = sigma R + Phi.
Proof.
  intros HR Hs. unfold sure, sigma in *.
  assert (Hg : 4 * g * U <= phi < 4 * g * U + 4 * U).
  { unfold g. pose proof (Z.div_mod phi (4 * U) ltac:(lia)).
    pose proof (Z.mod_pos_bound phi (4 * U) ltac:(lia)). lia. }
  assert (Hphi : fixed * S = Phi * B + phi).
  { unfold Phi, phi. pose proof (Z.div_mod (fixed * S) B ltac:(pose proof HB; lia)). lia. }
  set (f := fixed_value R) in *.
  pose proof (Z.div_mod f B ltac:(pose proof HB; lia)) as Hd.
  pose proof (Z.mod_pos_bound f B HB) as Hm.
  assert (Hline : 0 <= R * (m - base) <= R * below) by nia.
  assert (E : (R + fixed) * m + added
              = (f / B + Phi) * B + (f mod B + R * (m - base) + (phi - 4 * g * U) + fixed * (m - S))).
  { replace ((R + fixed) * m + added)
      with (v R + R * (m - base) + fixed * S + fixed * (m - S)) by (unfold v; ring).
    rewrite Hphi. unfold f, fixed_value in *. lia. }
  symmetry. apply Z.div_unique with (r := f mod B + R * (m - base) + (phi - 4 * g * U) + fixed * (m - S)).
  - left. unfold moved in Hs. destruct (Z.eqb_spec fixed 0) as [E0|]; [|lia].
    assert (phi - 4 * g * U = 0) as ->.
    { unfold g, phi. rewrite E0. change (0 * S) with 0. rewrite Z.mod_0_l, Z.div_0_l; lia. }
    rewrite E0. lia.
  - rewrite E. ring.
Qed.

Lemma moving_side r : 0 <= r ->
  let a := at_ r + y + j * per_cell in
  let b := a + last r in
  b / per_cell <= a / per_cell + in_bucket ->
  ((r + moving) * m + added) / B = (a / per_cell) / in_bucket + Phi \/
  ((r + moving) * m + added) / B = (b / per_cell) / in_bucket + Phi.
Proof.
  intros Hr a b Hab.
  assert (Hline : 0 <= r * (m - base) <= r * below) by nia.
  pose proof (Z.div_mod (v r) U ltac:(lia)) as Hv. pose proof (Z.mod_pos_bound (v r) U HU) as Hvm.
  pose proof (Z.div_mod Y U ltac:(lia)) as Hy. pose proof (Z.mod_pos_bound Y U HU) as Hym.
  fold y in Hy. fold rho in Hy, Hym. fold (at_ r) in Hv.
  set (rest := v r mod U + rho + r * (m - base) + (moving * (m - S) - j * K)).
  assert (E : (r + moving) * m + added = a * U + rest + Phi * B).
  { unfold rest. rewrite HK.
    replace ((r + moving) * m + added)
      with (v r + r * (m - base) + moving * S + moving * (m - S)) by (unfold v; ring).
    replace (moving * S) with (Y + Phi * B) by (unfold Y; ring).
    unfold a. rewrite Hv at 1. rewrite Hy at 1. ring. }
  assert (Hrest : 0 <= rest < (last r + 1) * U).
  { assert (Hl : v r mod U + r * below + span + U - 1 < (last r + 1) * U).
    { unfold last. set (n := v r mod U + r * below + span + U - 1).
      pose proof (Z.div_mod n U ltac:(lia)). pose proof (Z.mod_pos_bound n U HU). lia. }
    unfold rest. lia. }
  rewrite E, Z.div_add by (pose proof HB; lia).
  destruct (L2 U per_cell in_bucket a b (a * U + rest)) as [H|H]; try assumption; try lia.
Qed.

(** If a relation rules out a cell, some r and R conflict there as r + moving and R + fixed: the table's
    bit says that the two cells are at most a bucket apart, and lie in slots of sure patterns R and R'
    (modulo 2^bits, as slots do). *)
Theorem L4 r R R' :
  0 <= r -> 0 <= R -> 0 <= R' -> sure R -> sure R' ->
  let a := at_ r + y + j * per_cell in
  let b := a + last r in
  b / per_cell <= a / per_cell + in_bucket ->
  ((a / per_cell) / in_bucket) mod 2 ^ bits = sigma R mod 2 ^ bits ->
  ((b / per_cell) / in_bucket) mod 2 ^ bits = sigma R' mod 2 ^ bits ->
  slot bits (r + moving) added m = slot bits (R + fixed) added m \/
  slot bits (r + moving) added m = slot bits (R' + fixed) added m.
Proof.
  intros Hr HR HR' HsR HsR' a b Hab Ea Eb.
  assert (H2 : 2 ^ bits <> 0) by (apply Z.pow_nonzero; lia).
  rewrite !slots_by_quotients, (fixed_side R), (fixed_side R') by assumption.
  rewrite (Z.add_mod (sigma R)), (Z.add_mod (sigma R')), <- Ea, <- Eb, <- !Z.add_mod by assumption.
  destruct (moving_side r Hr Hab) as [-> | ->]; [left|right]; reflexivity.
Qed.

End Relation.

(** L9, tightening. (a) From low on for [ceil ((B - place) / x)] values of m, o keeps its slot. *)
Theorem L9a x added low m :
  0 < x -> let place := (x * low + added) mod B in
  let step := (B - place + x - 1) / x in
  low <= m <= low + step - 1 -> slot bits x added m = slot bits x added low.
Proof.
  intros Hx place step Hm. apply (L1 x added low (low + step - 1)); [lia| |assumption].
  fold place. pose proof (Z.div_mod (B - place + x - 1) x ltac:(lia)) as Hd. fold step in Hd.
  pose proof (Z.mod_pos_bound (B - place + x - 1) x Hx). nia.
Qed.

(** (b) Back from high for [floor ((reach mod B) / x) + 1] values of m, o keeps the slot it has at
    high, which is floor (reach / B) behind that at low. *)
Theorem L9b x added low high m :
  0 < x -> let reach := (x * low + added) mod B + x * (high - low) in
  let step := (reach mod B) / x + 1 in
  high - step + 1 <= m <= high ->
  slot bits x added m = slot bits x added high /\
  (x * high + added) / B = (x * low + added) / B + reach / B.
Proof.
  intros Hx reach step Hm. pose proof HB as HB'.
  assert (E : x * high + added = (x * low + added) / B * B + reach).
  { unfold reach. pose proof (Z.div_mod (x * low + added) B ltac:(lia)). lia. }
  assert (Eb : (x * high + added) / B = (x * low + added) / B + reach / B).
  { rewrite E, Z.add_comm, Z.div_add by lia. lia. }
  split; [|assumption]. rewrite !slots_by_quotients. f_equal.
  assert (Hway : 0 <= x * (high - m) <= reach mod B).
  { pose proof (Z.div_mod (reach mod B) x ltac:(lia)).
    pose proof (Z.mod_pos_bound (reach mod B) x Hx). unfold step in Hm. nia. }
  pose proof (Z.div_mod reach B ltac:(lia)). pose proof (Z.mod_pos_bound reach B HB').
  rewrite Eb. symmetry. apply Z.div_unique with (r := reach mod B - x * (high - m)); [lia|].
  replace (x * m + added) with (x * high + added - x * (high - m)) by ring. rewrite E. nia.
Qed.

(** L10, the fan. A cell is [length] values of m; in cell j the product lies in the units u + j and
    u + j + 1, or also in u + j + 2 if w + 64 d - x >= V. *)
Theorem L10 V x added length start j t :
  0 < V -> 0 <= x -> let d := x * length - V in
  0 <= d -> 64 * d < V -> 0 <= j < 64 -> 0 <= t < length ->
  let w := (x * start + added) mod V in
  let u := (x * start + added) / V in
  let here := (x * (start + j * length + t) + added) / V in
  u + j <= here <= u + j + 2 /\ (here = u + j + 2 -> w + 64 * d - x >= V).
Proof.
  intros HV Hx d Hd Hsmall Hj Ht w u here.
  pose proof (Z.div_mod (x * start + added) V ltac:(lia)) as E. fold u w in E.
  pose proof (Z.mod_pos_bound (x * start + added) V HV) as Hw. fold w in Hw.
  assert (Hxt : 0 <= x * t <= V + d - x) by (unfold d; nia).
  assert (Hjd : 0 <= j * d <= 63 * d) by nia.
  assert (Ep : x * (start + j * length + t) + added = (u + j) * V + (w + j * d + x * t)).
  { unfold d. nia. }
  pose proof (Z.div_mod (x * (start + j * length + t) + added) V ltac:(lia)) as Eh. fold here in Eh.
  pose proof (Z.mod_pos_bound (x * (start + j * length + t) + added) V HV) as Hm.
  set (rest := (x * (start + j * length + t) + added) mod V) in *.
  assert (Er : V * (here - (u + j)) + rest = w + j * d + x * t) by (rewrite Ep in Eh; nia).
  split; [split|]; nia.
Qed.

End Rounding.
