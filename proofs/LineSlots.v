(** * Counting slots, L19: how many slots the line takes

    proofs/rounding-lemma.md, "Counting slots": (a), (b) and (c), each for all steps of a node at once. The step a
    is somewhere from [begin] to begin + w, and slots begin anywhere. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Counting Translates Slots Overlaps Nodes.
Import ListNotations.
Open Scope Z_scope.

Section Line.

Variable bits : Z.
Hypothesis some_bits : 1 <= bits <= 64.
Let few : 0 <= bits <= 64. Proof. lia. Qed.
Let B := bucket bits.
Let N := 2 ^ bits.
Let HB : 0 < B := bucket_positive bits few.

Variables (line : list Z) (kind : Z -> Z).
Hypothesis once : NoDup line.
Hypothesis patterns_nonnegative : forall r, In r line -> 0 <= r.
Variable differences : list Z.
Hypothesis all_differences : forall r r', In r line -> In r' line -> In (r' - r) differences.

Variables begin w : Z.

(** ** (a): all patterns less the pairs that may share a slot *)

(** Whether patterns that differ by d may be less than a slot apart. *)
Definition close (d : Z) : bool := nearest (low begin w d 0) (high begin w d 0 0) <? B.

(** The pairs r, r + d with d > 0 that are alike and close. *)
Definition pairs_that_may (d : Z) : Z :=
  if (0 <? d) && close d
  then total (pairs_of line d) (fun pair => Z.b2z (alike kind pair)) else 0.

Definition by_pairs : Z := Z.of_nat (length line) - total differences pairs_that_may.

(** ** (b): patterns that are a slot apart, one behind the other *)

(** From the first once round the circle of all words; a point is a place, for [begin], and its pattern. *)
Definition a_slot_apart (x0 r0 : Z) (rest : list (Z * Z)) : Prop :=
  forall link, In link (links (x0, r0) (rest ++ [(x0 + 2 ^ 64, r0)])) ->
    B <= fst (snd link) - fst (fst link) + Z.min 0 ((snd (snd link) - snd (fst link)) * w).

(** What [points] of slots.c counts: patterns with none before them that is alike and close. *)
Fixpoint firsts (before todo : list Z) : list Z :=
  match todo with
  | [] => []
  | r :: todo =>
      let others := firsts (r :: before) todo in
      if existsb (fun r' => alike kind (r', r) && close (r - r')) before then others else r :: others
  end.

(** ** (c): slots that surely hold a pattern *)

Definition sure (u part r : Z) : bool := (r * begin + u) / B =? (r * (begin + w) + u + part) / B.
Definition held (part u : Z) : list Z :=
  nodup Z.eq_dec (map (fun r => ((r * begin + u) / B) mod N) (filter (sure u part) line)).

(** The least over the [parts] numbers u = 0, part, 2 part, ...; the program has 64 of them. *)
Definition by_parts (parts : nat) (part : Z) : Z :=
  fold_right Z.min (Z.of_nat (length line))
    (map (fun n => Z.of_nat (length (held part (Z.of_nat n * part)))) (seq 0 parts)).

(** ** That they are right *)

Variable a : Z.
Hypothesis step : begin <= a <= begin + w.

Notation slot_at := (slot_at bits).
Notation size t x := (size Z Z (all_slots bits) (takes bits line a t) x).
Notation compatible := (compatible bits line kind a).

Lemma size_by_slots t x some :
  NoDup some -> (forall s, In s some -> exists r, In r line /\ s = slot_at t (r * a + x)) ->
  Z.of_nat (length some) <= size t x.
Proof.
  intros Hd Hs. unfold Counting.size. rewrite total_of_bools. apply Nat2Z.inj_le, NoDup_incl_length; [assumption|].
  intros s H. destruct (Hs s H) as (r & Hr & ->). apply filter_In. split; [now apply slot_is_a_slot|].
  unfold takes. apply existsb_exists. exists r. split; [assumption|apply Z.eqb_refl].
Qed.

(** How often a pattern of a list, and a larger one, share a slot. *)
Let meet (t r r' : Z) : Z := Z.b2z ((r <? r') && (slot_at t (r * a) =? slot_at t (r' * a))).
Let meetings (t : Z) (l : list Z) : Z := total l (fun r => total l (meet t r)).

Lemma meetings_nonnegative {A} (l : list A) (f : A -> Z) : (forall x, In x l -> 0 <= f x) -> 0 <= total l f.
Proof. intros H. rewrite <- (Z.mul_0_l (Z.of_nat (length l))), <- total_constant. now apply total_le. Qed.

Lemma at_least_one {A} (l : list A) (f : A -> Z) a0 :
  (forall x, 0 <= f x) -> In a0 l -> f a0 <= total l f.
Proof.
  intros H. induction l as [|b l IH]; cbn [In]; [easy|].
  change (total (b :: l) f) with (f b + total l f). pose proof (H b).
  pose proof (meetings_nonnegative l f (fun x _ => H x)). intros [->|Hl]; [lia|specialize (IH Hl); lia].
Qed.

(** A slot with n patterns has n - 1 pairs or more. *)
Lemma one_slot_less_a_pair t l :
  NoDup l ->
  Z.of_nat (length l) - meetings t l
  <= Z.of_nat (length (nodup Z.eq_dec (map (fun r => slot_at t (r * a)) l))).
Proof.
  assert (Hm : forall r r', 0 <= meet t r r').
  { intros r r'. unfold meet. destruct (_ && _); cbn; lia. }
  induction l as [|r l IH]; intros Hd; [easy|]. inversion_clear Hd as [|? ? Hr Hl]. specialize (IH Hl).
  assert (E : meetings t (r :: l) = meet t r r + total l (meet t r) + (total l (fun r' => meet t r' r) + meetings t l)).
  { unfold meetings. change (total (r :: l) (fun r0 => total (r :: l) (meet t r0)))
      with (total (r :: l) (meet t r) + total l (fun r0 => total (r :: l) (meet t r0))).
    rewrite (total_ext l (fun r0 => total (r :: l) (meet t r0)) (fun r0 => meet t r0 r + total l (meet t r0)))
      by easy.
    rewrite total_plus. easy. }
  pose proof (Hm r r). pose proof (meetings_nonnegative l _ (fun r' _ => Hm r r')).
  pose proof (meetings_nonnegative l _ (fun r' _ => Hm r' r)).
  cbn [map nodup length]. destruct (in_dec _ _ _) as [Hin|Hnot]; [|cbn [length]; lia].
  apply in_map_iff in Hin as (r' & Hs & Hr').
  assert (Hone : 1 <= meet t r r' + meet t r' r).
  { unfold meet. rewrite Hs, Z.eqb_refl, !andb_true_r.
    assert (r <> r') by congruence. destruct (Z.ltb_spec r r'), (Z.ltb_spec r' r); cbn; lia. }
  pose proof (at_least_one l (meet t r) r' (Hm r) Hr').
  pose proof (at_least_one l (fun r0 => meet t r0 r) r' (fun r0 => Hm r0 r) Hr'). cbv beta in *. lia.
Qed.

Hypothesis small : forall d, In d differences -> Z.abs d * w + B <= 2 ^ 63.

Lemma who_shares_is_close t r r' :
  In (r' - r) differences -> slot_at t (r * a) = slot_at t (r' * a) -> close (r' - r) = true.
Proof.
  intros Hd Hs. replace (r' * a) with ((r + (r' - r)) * a + 0) in Hs by ring.
  destruct (who_shares bits few a t (r' - r) 0 r Hs) as (delta & Hap & _).
  pose proof (apart_in_the_cell bits some_bits differences begin w a step 0 0 small (r' - r) 0 delta Hd ltac:(lia) Hap)
    as Hin.
  pose proof (nearest_is_near _ _ _ Hin). destruct Hap as [Hap _]. fold B in Hap.
  unfold close. apply Z.ltb_lt. lia.
Qed.

Theorem L19a t x : compatible (t - x) 0 -> by_pairs <= size t x.
Proof.
  intros Hc. pose proof (one_slot_less_a_pair (t - x) line once) as H.
  assert (Hall : meetings (t - x) line <= total differences pairs_that_may).
  { change (meetings (t - x) line)
      with (total line (fun r => total line (fun r' => (fun pair => meet (t - x) (fst pair) (snd pair)) (r, r')))).
    rewrite <- total_prod. etransitivity.
    { apply (by_differences bits few line once differences all_differences).
      intros pair. unfold meet. destruct (_ && _); cbn; lia. }
    apply total_le. intros d Hd. unfold pairs_that_may.
    assert (Hpair : forall pair, In pair (pairs_of line d) -> 1 <= meet (t - x) (fst pair) (snd pair) ->
      0 < d /\ close d = true /\ alike kind pair = true).
    { intros [r r'] Hp Hm. pose proof (in_pairs_of line d _ Hp) as [Hr Hr'].
      unfold pairs_of in Hp. apply in_map_iff in Hp as (r0 & E & _). injection E as -> <-.
      cbn [fst snd] in Hr, Hr', Hm. unfold meet in Hm.
      destruct (Z.ltb_spec r (r + d)); [|cbn in Hm; lia].
      destruct (Z.eqb_spec (slot_at (t - x) (r * a)) (slot_at (t - x) ((r + d) * a))) as [Hs|]; [|cbn in Hm; lia].
      split; [lia|]. split.
      - replace d with (r + d - r) by lia. apply who_shares_is_close with (t - x); [|assumption].
        now replace (r + d - r) with d by lia.
      - unfold alike. cbn [fst snd]. apply Z.eqb_eq. apply Hc; auto. now rewrite Z.add_0_r. }
    destruct (Z.ltb_spec 0 d) as [H0|H0], (close d) eqn:H2; cbn [andb].
    1:{ apply total_le. intros pair Hp. specialize (Hpair pair Hp). unfold meet in *.
        destruct (_ && _); [|destruct (alike kind pair); cbn; lia].
        destruct Hpair as (_ & _ & ->); cbn; lia. }
    all: rewrite <- (Z.mul_0_l (Z.of_nat (length (pairs_of line d)))), <- total_constant; apply total_le;
      intros pair Hp; specialize (Hpair pair Hp); unfold meet in *; destruct (_ && _); cbn [Z.b2z] in *; try lia;
      destruct Hpair as (H3 & H4 & _); lia || congruence. }
  unfold by_pairs. set (some := nodup Z.eq_dec (map (fun r => slot_at (t - x) (r * a)) line)) in *.
  etransitivity; [|apply size_by_slots with (some := some)].
  - lia.
  - apply NoDup_nodup.
  - intros s Hs. apply nodup_In, in_map_iff in Hs as (r & <- & Hr). exists r. split; [assumption|].
    symmetry. apply offset_moved.
Qed.

(** Of a slot at most its first is counted. *)
Lemma firsts_are_apart todo : forall before,
  incl todo line ->
  ForallOrdPairs (fun r r' => kind r = kind r' -> forall t, slot_at t (r * a) <> slot_at t (r' * a))
    (firsts before todo)
  /\ forall r', In r' (firsts before todo) ->
       In r' todo /\ forall r, In r before -> alike kind (r, r') && close (r' - r) = false.
Proof.
  induction todo as [|r todo IH]; intros before Hin; cbn [firsts]; [split; [constructor|easy]|].
  destruct (IH (r :: before)) as [H1 H2]; [intros r' H; apply Hin; now right|].
  assert (H3 : forall r', In r' (firsts (r :: before) todo) ->
    In r' (r :: todo) /\ forall q, In q before -> alike kind (q, r') && close (r' - q) = false).
  { intros r' Hr'. destruct (H2 r' Hr') as [H3 H4]. split; [now right|]. intros q Hq. apply H4. now right. }
  destruct (existsb _ before) eqn:E; [now split|]. split.
  - constructor; [|assumption]. apply Forall_forall. intros r' Hr' Hk t Hs. destruct (H2 r' Hr') as [Ht H4].
    specialize (H4 r ltac:(now left)). unfold alike in H4. cbn [fst snd] in H4. rewrite Hk, Z.eqb_refl in H4.
    rewrite (who_shares_is_close t) in H4; [easy| |assumption].
    apply all_differences; apply Hin; [now left|now right].
  - intros r' [<-|Hr']; [|auto]. split; [now left|]. intros q Hq.
    rewrite <- not_true_iff_false in *. intros H. apply E. apply existsb_exists. now exists q.
Qed.

Theorem L19_firsts t x : compatible (t - x) 0 -> Z.of_nat (length (firsts [] line)) <= size t x.
Proof.
  destruct (firsts_are_apart line [] ltac:(intros r H; exact H)) as [H1 H2].
  apply L19; [lia|]. split; [|assumption]. intros r Hr. now apply H2.
Qed.

(** Who is a slot behind the one before is a slot behind all before; and so all round. *)
Lemma a_chain_of_slots (f : Z * Z -> Z) last rest : forall p,
  (forall link, In link (links p (rest ++ [last])) -> B <= f (snd link) - f (fst link)) ->
  ForallOrdPairs (fun p q => f p + B <= f q) (p :: rest) /\
  Forall (fun q => f p <= f q /\ f q + B <= f last) (p :: rest).
Proof.
  induction rest as [|q rest IH]; intros p H.
  - specialize (H (p, last) ltac:(now left)). cbn [fst snd] in H.
    split; constructor; constructor; lia.
  - pose proof (H (p, q) ltac:(now left)) as Hpq. cbn [fst snd] in Hpq.
    destruct (IH q) as [H1 H2]; [intros link Hl; apply H; now right|]. inversion_clear H2 as [|? ? Hq Hrest].
    split; constructor; try assumption.
    + constructor; [lia|]. eapply Forall_impl; [|exact Hrest]. cbv beta. intros; lia.
    + lia.
    + constructor; [lia|]. eapply Forall_impl; [|exact Hrest]. cbv beta. intros; lia.
Qed.

Theorem L19b t x x0 r0 rest :
  incl (map snd ((x0, r0) :: rest)) line ->
  (forall point, In point ((x0, r0) :: rest) -> exists i, fst point = snd point * begin + i * 2 ^ 64) ->
  a_slot_apart x0 r0 rest -> compatible (t - x) 0 ->
  Z.of_nat (length ((x0, r0) :: rest)) <= size t x.
Proof.
  intros Hin Hx Hap Hc. rewrite <- (map_length snd). apply L19 with (kind := kind); [lia| |assumption].
  split; [assumption|]. set (moved := fun point : Z * Z => fst point + snd point * (a - begin)).
  destruct (a_chain_of_slots moved (x0 + 2 ^ 64, r0) rest (x0, r0)) as [H1 H2].
  { intros link Hl. specialize (Hap link Hl). unfold moved.
    destruct link as [[x1 r1] [x2 r2]]. cbn [fst snd] in *.
    assert (Z.min 0 ((r2 - r1) * w) <= (r2 - r1) * (a - begin)); [|nia].
    destruct (Z.le_gt_cases 0 (r2 - r1)); nia. }
  assert (Hround : moved (x0 + 2 ^ 64, r0) = moved (x0, r0) + 2 ^ 64) by (unfold moved; cbn [fst snd]; lia).
  revert Hx H1 H2. generalize ((x0, r0) :: rest) as l. intros l Hx H1 H2.
  induction H1 as [|p l Hp H1 IH]; cbn [map]; constructor.
  - apply Forall_forall. intros r' Hr' _ u Hs. apply in_map_iff in Hr' as (q & <- & Hq).
    rewrite Forall_forall in Hp, H2. specialize (Hp q Hq).
    pose proof (H2 p ltac:(now left)). pose proof (H2 q ltac:(now right)).
    destruct (Hx p ltac:(now left)) as [i Hi]. destruct (Hx q ltac:(now right)) as [j Hj].
    apply (share_near bits few) in Hs as [k Hk]. fold B in Hk.
    assert (E : snd q * a - snd p * a - k * 2 ^ 64 = moved q - moved p - (k + j - i) * 2 ^ 64).
    { unfold moved. rewrite Hi, Hj. ring. }
    rewrite E in Hk. nia.
  - apply IH; [intros point H; apply Hx; now right|]. now inversion_clear H2.
Qed.

Theorem L19c t x parts part : 0 < part -> B = Z.of_nat parts * part -> by_parts parts part <= size t x.
Proof.
  intros Hpart EB. set (z := x - t). pose proof (Z.mod_pos_bound z B HB) as Hz.
  pose proof (Z.div_mod z B ltac:(lia)) as Ez.
  pose proof (Z.mod_pos_bound (z mod B) part Hpart) as He. pose proof (Z.div_mod (z mod B) part ltac:(lia)) as Ee.
  set (n := z mod B / part) in *. set (u := n * part).
  assert (Hn : 0 <= n < Z.of_nat parts).
  { split; [apply Z.div_pos; lia|]. apply Z.div_lt_upper_bound; lia. }
  assert (Hz2 : z = z / B * B + u + z mod B mod part) by (unfold u; lia).
  set (k := z / B) in *. set (e := z mod B mod part) in *.
  unfold by_parts. etransitivity.
  { apply at_least_smallest, in_map_iff. exists (Z.to_nat n). split; [reflexivity|]. apply in_seq. lia. }
  rewrite Z2Nat.id by lia. fold u. rewrite <- (map_length (fun s => (s + k) mod N) (held part u)).
  assert (HN : 0 < N) by (apply Z.pow_pos_nonneg; lia).
  apply size_by_slots.
  - assert (Hr : forall s, In s (held part u) -> 0 <= s < N).
    { intros s H. apply nodup_In, in_map_iff in H as (r & <- & _). now apply Z.mod_pos_bound. }
    pose proof (NoDup_nodup Z.eq_dec (map (fun r => ((r * begin + u) / B) mod N) (filter (sure u part) line))) as Hd.
    fold (held part u) in Hd. revert Hr Hd. generalize (held part u) as l.
    induction l as [|s l IH]; cbn [map]; intros Hr Hd; constructor.
    + inversion_clear Hd as [|? ? Hs _]. intros H. apply in_map_iff in H as (s' & E & Hs'). apply Hs.
      pose proof (Hr s ltac:(now left)). pose proof (Hr s' ltac:(now right)).
      pose proof (Z.div_mod (s + k) N ltac:(lia)). pose proof (Z.div_mod (s' + k) N ltac:(lia)).
      replace s with s'; [assumption|]. rewrite E in *.
      set (q := (s + k) / N) in *. set (q' := (s' + k) / N) in *. clearbody q q'.
      assert (Es : s - s' = N * (q - q')) by lia. assert (q = q') by nia. lia.
    + inversion_clear Hd. apply IH; [|assumption]. intros s' H'. apply Hr. now right.
  - intros s Hs. apply in_map_iff in Hs as (s' & <- & Hs). apply nodup_In, in_map_iff in Hs as (r & <- & Hr).
    apply filter_In in Hr as [Hr Hsure]. exists r. split; [assumption|]. apply Z.eqb_eq in Hsure.
    assert (Hra : r * begin <= r * a <= r * (begin + w)).
    { pose proof (patterns_nonnegative r Hr). split; apply Z.mul_le_mono_nonneg_l; lia. }
    unfold Slots.slot_at. fold B N.
    replace (r * a + x - t) with (r * a + u + e + k * B) by (unfold z in Hz2; lia).
    rewrite Z.div_add, Z.add_mod_idemp_l by lia. do 2 f_equal. apply Z.le_antisymm.
    + apply Z.div_le_mono; lia.
    + rewrite Hsure. apply Z.div_le_mono; lia.
Qed.

End Line.
