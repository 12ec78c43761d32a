(** * The theorem: what the checker accepts is true *)

From Coq Require Import ZArith Lia Bool List FinFun Uint63.
From Magicert Require Import Words Board Cells Leaves Covers Tables Machine Checker.
Import ListNotations.
Open Scope Z_scope.

(** How many of the intervals m is in. *)
Fixpoint times (n m : Z) (magics : list (Z * Z)) : Z :=
  match magics with
  | [] => 0
  | i :: others => (if (fst i <=? m mod 2 ^ n) && (m mod 2 ^ n <=? snd i) then 1 else 0) + times n m others
  end.

(** What is known of a shard that is settled: its magics are magics, nothing else in it is one, and
    each is listed once. *)
Record is_settled (p : problem) (root : interval) (magics : list (Z * Z)) : Prop := {
  magics_solve : forall m, is_listed (period p) magics m -> solves p m;
  others_do_not : forall m, member m root -> is_listed (period p) magics m \/ ~ solves p m;
  magics_are_numbers : forall first last, In (first, last) magics -> 0 <= first /\ first <= last < 2 ^ period p;
  magics_are_once : forall m, times (period p) m magics <= holders m [root];
  root_has_members : has_members root;
}.

Section Proof.

Variable p : problem.
Hypothesis sound : is_sound p.
Variable depth : nat.
Let q := quick_of depth p.

(** The invariant of a stream. *)
Record so_far (s : state) : Prop := {
  all_solve : forall m, is_listed (period p) (found s) m -> solves p m;
  all_covered : forall m, covered m (map interval_of (before s)) ->
    is_listed (period p) (found s) m \/ ~ solves p m;
  all_numbers : forall first last, In (first, last) (found s) -> 0 <= first /\ first <= last < 2 ^ period p;
  all_once : forall m, times (period p) m (found s) <= holders m (map interval_of (before s));
  all_proper : Forall is_proper (before s);
  next_is_a_word : is_bit (next_lowest s);
}.

Definition holds_after (pr : progress) : Prop :=
  match pr with Going s | Ended s => so_far s | Stopped _ _ => True end.

Lemma bit_of i : is_bit (i land 1)%uint63.
Proof. unfold is_bit. rewrite land_1. pose proof (Z.mod_pos_bound (to_Z i) 2 ltac:(lia)). lia. Qed.

(** Adding words on the machine. *)
Lemma added_words a b c d : is_bit b -> is_bit d ->
  word_of (a + c + ((b + d) >> 1))%uint63 ((b + d) land 1)%uint63 = (word_of a b + word_of c d) mod 2 ^ 64.
Proof.
  unfold is_bit. intros Hb Hd. unfold word_of at 1.
  rewrite land_1, !add_spec, shifted_1, !add_spec, wB63.
  rewrite (Z.mod_small (to_Z b + to_Z d)) by lia.
  pose proof (Z.div_mod (to_Z b + to_Z d) 2 ltac:(lia)) as E.
  pose proof (Z.mod_pos_bound (to_Z b + to_Z d) 2 ltac:(lia)).
  rewrite Z.add_mod_idemp_l by lia.
  rewrite <- half_modulo by lia. f_equal. unfold word_of. lia.
Qed.

Lemma interval_at_is_right u l e : is_bit l ->
  let i := interval_at u l e in
  is_bit (low_lowest i) /\ is_bit (high_lowest i) /\
  high (interval_of i) = (low (interval_of i) + word_of (span_upper e) (span_lowest e land 1)%uint63) mod 2 ^ 64.
Proof.
  intros Hl. cbv zeta. unfold interval_at. cbn [low_lowest high_lowest interval_of low high low_upper high_upper].
  split; [apply bit_of|]. split; [apply bit_of|]. apply added_words; apply bit_of.
Qed.

Lemma proper_if_it_is_no_fault i : is_bit (low_lowest i) -> is_bit (high_lowest i) ->
  interval_fault (interval_of i) = None ->
  is_proper i /\ high (interval_of i) < 2 ^ w (interval_of i).
Proof.
  unfold interval_fault. intros Hl Hh.
  destruct (_ && _) eqn:E1; [cbn [negb]|discriminate].
  destruct (low (interval_of i) <=? high (interval_of i)) eqn:E2; [cbn [negb]|discriminate].
  destruct (Z.shiftr (high (interval_of i)) (w (interval_of i)) =? 0) eqn:E3; [|discriminate].
  intros _. apply andb_true_iff in E1 as [E0 E1].
  apply Z.leb_le in E0, E1, E2. apply Z.eqb_eq in E3.
  split.
  { unfold is_proper. cbn [interval_of w] in E0, E1. auto. }
  rewrite Z.shiftr_div_pow2 in E3 by assumption. apply Z.div_small_iff in E3.
  - assert (0 <= high (interval_of i)).
    { cbn [interval_of high]. unfold word_of, is_bit in *. pose proof (to_Z_bounded (high_upper i)). lia. }
    pose proof (Z.pow_pos_nonneg 2 (w (interval_of i)) eq_refl E0). lia.
  - apply Z.pow_nonzero; [lia|assumption].
Qed.

Lemma members_of_the_proper i : is_proper i -> has_members (interval_of i).
Proof.
  intros (Hl & _ & _ & H). split; [|assumption]. cbn [interval_of low]. unfold word_of, is_bit in *.
  pose proof (to_Z_bounded (low_upper i)). lia.
Qed.

Lemma all_have_members l : Forall is_proper l -> Forall has_members (map interval_of l).
Proof. induction 1; cbn [map]; constructor; auto using members_of_the_proper. Qed.

Lemma gone_on_so_far s i e found' :
  so_far s -> is_bit (low_lowest i) -> is_bit (high_lowest i) ->
  leaf_fault p (leaf_of i e) = None ->
  found' = (if claims_magics (leaf_of i e)
            then (low (interval_of i), high (interval_of i)) :: found s else found s) ->
  holds_after (gone_on s i found').
Proof.
  intros [Hsolve Hcov Hnum Honce Hproper Hnext] Hl Hh Hfault ->.
  assert (Hint : interval_fault (interval_of i) = None).
  { unfold leaf_fault, fault_of in Hfault. cbv zeta in Hfault. cbn [leaf_of where_] in Hfault.
    now destruct (interval_fault (interval_of i)). }
  destruct (proper_if_it_is_no_fault i Hl Hh Hint) as [Hi Hbelow].
  pose proof (members_of_the_proper i Hi) as Hmem.
  apply leaf_is_true in Hfault as (Hw & Hmagics & Hnone); [|assumption]. cbn [leaf_of where_] in *.
  destruct (pushed_on_the_machine (before s) i Hproper Hi) as [Epush Hpush].
  cbn [holds_after gone_on]. cbv zeta.
  destruct (claims_magics (leaf_of i e)).
  - destruct (Hmagics eq_refl) as [Ep Hm].
    constructor; cbn [before found next_lowest]; rewrite <- ?Epush; try assumption; try apply bit_of.
    + intros m (a & b & [[= <- <-]|Hin] & Hab).
      * apply Hm. unfold member. now rewrite Ep.
      * apply Hsolve. now exists a, b.
    + intros m Hc. apply push_covers in Hc as [Hc|Hc].
      * destruct (Hcov m Hc) as [(a & b & Hin & Hab)|]; [left|now right].
        exists a, b. split; [now right|assumption].
      * left. exists (low (interval_of i)), (high (interval_of i)). split; [now left|].
        unfold member in Hc. now rewrite <- Ep.
    + intros a b [[= <- <-]|Hin]; [|auto]. rewrite <- Ep. exact (conj (proj1 Hmem) (conj (proj2 Hmem) Hbelow)).
    + intros m. destruct (pushed_once m (map interval_of (before s)) (interval_of i)) as [-> _];
        [now apply all_have_members|assumption|].
      cbn [times holders fst snd]. unfold holds. rewrite Ep. specialize (Honce m). lia.
  - constructor; cbn [before found next_lowest]; rewrite <- ?Epush; try assumption; try apply bit_of.
    + intros m Hc. apply push_covers in Hc as [Hc|Hc]; [auto|]. right. now apply Hnone.
    + intros m. destruct (pushed_once m (map interval_of (before s)) (interval_of i)) as [-> _];
        [now apply all_have_members|assumption|].
      specialize (Honce m). cbn [holders]. destruct (holds m (interval_of i)); lia.
Qed.

Lemma step_so_far entries s : so_far s -> holds_after (step p q entries s).
Proof.
  intros H. unfold step. destruct (entries (number s)) as [e|]; [|exact H]. cbv zeta.
  destruct (interval_at_is_right (next_upper s) (next_lowest s) e (next_is_a_word _ H)) as (Hl & Hh & Hs).
  set (i := interval_at _ _ e) in *.
  destruct (quick_check _ _ _ _ _ _) eqn:E.
  - assert (Hf : leaf_fault p (leaf_of i e) = None).
    { revert E. apply quick_check_is_right; try assumption. apply bit_of. }
    apply gone_on_so_far with (e := e); try assumption.
    replace (claims_magics (leaf_of i e)) with false; [reflexivity|].
    unfold quick_check in E. destruct (is_interval i && _ && _) eqn:E'; [|easy].
    rewrite !andb_true_iff, leb_spec in E'. unfold claims_magics. cbn [leaf_of first second]. lia.
  - destruct (leaf_fault p (leaf_of i e)) eqn:Hf; [easy|].
    now apply gone_on_so_far with (e := e).
Qed.

Lemma going_on one n : (forall s, so_far s -> holds_after (one s)) ->
  forall s, so_far s -> holds_after (go_on one n s).
Proof.
  intros Hone. induction n as [half IH|half IH|]; cbn [go_on]; intros s Hs.
  - specialize (Hone s Hs). destruct (one s) as [s1| |]; try assumption.
    specialize (IH s1 Hone) as H1. destruct (go_on one half s1) as [s2| |]; try assumption. now apply IH.
  - specialize (IH s Hs) as H1. destruct (go_on one half s) as [s1| |]; try assumption. now apply IH.
  - now apply Hone.
Qed.

Lemma run_so_far root entries : holds_after (run_shard p q root entries).
Proof.
  unfold run_shard. apply going_on.
  - intros s. apply step_so_far.
  - constructor; cbn [before found next_lowest map].
    + intros m (a & b & [] & _).
    + intros m (i & [] & _).
    + intros a b [].
    + intros m. cbn [times holders]. lia.
    + constructor.
    + apply lowest_is_a_bit.
Qed.

Lemma listed_in_any_order n magics m : is_listed n (rev magics) m <-> is_listed n magics m.
Proof.
  unfold is_listed. split; intros (a & b & H & Hm); exists a, b; split; auto.
  - now apply in_rev.
  - now apply in_rev in H.
Qed.

Lemma times_of_both n m a : forall b, times n m (a ++ b) = times n m a + times n m b.
Proof. induction a as [|i a IH]; intros b; cbn [times app]; [lia|]. rewrite IH. lia. Qed.

Lemma times_in_any_order n m magics : times n m (rev magics) = times n m magics.
Proof.
  induction magics as [|i magics IH]; [reflexivity|]. cbn [rev].
  rewrite times_of_both, IH. cbn [times]. lia.
Qed.

Lemma complete_once before root m :
  Forall has_members before -> is_complete before root = true ->
  holders m before = holders m [root] /\ has_members root.
Proof.
  unfold is_complete. destruct before as [|i [|]]; try easy. intros Hb H.
  inversion_clear Hb as [|? ? Hi _]. apply orb_true_iff in H as [H|H].
  - unfold same in H. rewrite !andb_true_iff, !Z.eqb_eq in H. destruct H as [[H1 H2] H3].
    cbn [holders]. unfold holds, has_members in *. rewrite <- H1, <- H2, <- H3. auto.
  - apply andb_true_iff in H as [H1 H2]. split.
    + now rewrite !everything_has_all_once.
    + unfold is_everything in H2. rewrite !andb_true_iff in H2. unfold has_members.
      destruct H2 as [[Hw Hl] Hh].
      pose proof (Z.pow_pos_nonneg 2 (w root) ltac:(lia) ltac:(lia)). lia.
Qed.

Theorem shard_is_settled root entries leaves magics :
  settle p q root entries = inr (leaves, magics) -> is_settled p root magics.
Proof.
  unfold settle. pose proof (run_so_far root entries) as H.
  destruct (run_shard p q root entries) as [last|last|broken n]; try easy.
  destruct H as [Hsolve Hcov Hnum Honce Hproper _].
  destruct (is_complete _ root) eqn:E; [|easy]. cbn [negb]. intros [= _ <-].
  pose proof (all_have_members _ Hproper) as Hmem.
  constructor.
  - intros m Hm. apply Hsolve. now apply listed_in_any_order.
  - intros m Hm. apply (complete_covers_the_root _ _ _ E) in Hm.
    destruct (Hcov m Hm) as [Hl|Hl]; [left; now apply listed_in_any_order|now right].
  - intros a b Hin. apply Hnum. now apply in_rev.
  - intros m. rewrite times_in_any_order.
    destruct (complete_once _ _ m Hmem E) as [<- _]. apply Honce.
  - now destruct (complete_once _ _ 0 Hmem E).
Qed.

Lemma listed_together n (lists : list (list (Z * Z))) m :
  is_listed n (concat lists) m <-> exists magics, In magics lists /\ is_listed n magics m.
Proof.
  unfold is_listed. split.
  - intros (a & b & H & Hm). apply in_concat in H as (l & Hl & H). eauto 8.
  - intros (l & Hl & a & b & H & Hm). exists a, b. split; [|assumption].
    apply in_concat. eauto.
Qed.

(** Shards that are settled, wherever that was, are a proof together. *)
Theorem joined_shards_are_settled settled magics :
  (forall r l, In (r, l) settled -> is_settled p r l) -> join settled = Accepted magics ->
  (forall m, solves p m <-> is_listed (period p) magics m) /\
  (forall first last, In (first, last) magics -> 0 <= first /\ first <= last < 2 ^ period p) /\
  (forall m, times (period p) m magics <= 1).
Proof.
  intros Hall. unfold join. destruct (roots_are_everything (map fst settled)) eqn:E; [|easy].
  intros [= <-].
  assert (Hsnd : forall l, In l (map snd settled) -> exists r, is_settled p r l).
  { intros l Hl. apply in_map_iff in Hl as ([r l'] & <- & H). exists r. now apply Hall. }
  split; [|split].
  - intros m. split.
    + intros Hm. destruct (roots_cover_everything _ m E) as (r & Hr & Hin).
      apply in_map_iff in Hr as ([r' l] & <- & H). cbn [fst] in Hin.
      destruct (others_do_not _ _ _ (Hall _ _ H) m Hin) as [Hl|Hl]; [|tauto].
      apply listed_together. exists l. split; [|assumption]. apply in_map_iff. now exists (r', l).
    + intros Hm. apply listed_together in Hm as (l & Hl & Hm).
      destruct (Hsnd l Hl) as [r H]. now apply (magics_solve _ _ _ H).
  - intros a b Hin. apply in_concat in Hin as (l & Hl & Hin).
    destruct (Hsnd l Hl) as [r H]. now apply (magics_are_numbers _ _ _ H).
  - intros m.
    assert (Hroots : Forall has_members (map fst settled)).
    { apply Forall_forall. intros r Hr. apply in_map_iff in Hr as ([r' l] & <- & H).
      apply (root_has_members _ _ _ (Hall _ _ H)). }
    pose proof (roots_cover_everything_once _ m Hroots E) as <-.
    clear - Hall. induction settled as [|[r l] settled IH]; cbn [map concat times holders fst snd]; [lia|].
    rewrite times_of_both.
    pose proof (magics_are_once _ _ _ (Hall r l ltac:(now left)) m) as H. cbn [holders] in H.
    specialize (IH ltac:(intros; apply Hall; now right)). lia.
Qed.

Lemma checked_shard_is_settled s magics :
  check_shard p q s = inr magics -> is_settled p (root s) magics.
Proof.
  unfold check_shard. destruct (settle p q (root s) (entries s)) as [|[leaves found]] eqn:E; [easy|].
  destruct (as_listed s found); [|easy]. intros [= <-]. now apply shard_is_settled in E.
Qed.

Lemma shards_are_settled shards : forall n seen magics,
  check_shards p q n shards seen = Accepted magics ->
  (forall r l, In (r, l) seen -> is_settled p r l) ->
  exists settled, (forall r l, In (r, l) settled -> is_settled p r l) /\ join settled = Accepted magics.
Proof.
  induction shards as [|s shards IH]; cbn [check_shards]; intros n seen magics H Hseen.
  - exists (rev seen). split; [|assumption]. intros r l Hin. apply Hseen. now apply in_rev.
  - destruct (check_shard p q s) as [[broken k]|more] eqn:E; [easy|].
    apply checked_shard_is_settled in E. apply IH in H; [assumption|].
    intros r l [[= <- <-]|Hin]; [assumption|now apply Hseen].
Qed.

End Proof.

Theorem accepted_problems_are_settled p depth shards magics :
  is_sound p -> check_problem p depth shards = Accepted magics ->
  (forall m, solves p m <-> is_listed (period p) magics m) /\
  (forall first last, In (first, last) magics -> 0 <= first /\ first <= last < 2 ^ period p) /\
  (forall m, times (period p) m magics <= 1).
Proof.
  unfold check_problem. intros Hp. destruct (check_header p shards); [|easy]. intros H.
  apply shards_are_settled in H as (settled & Hall & H); [|assumption|easy].
  now apply joined_shards_are_settled with (settled := settled).
Qed.

(** ** The theorem

    If the checker accepts a certificate for a cell, the intervals that it returns are all magics of
    the cell, modulo 2^period, and nothing else is one. It returns them from the leaves, and refuses
    where the header lists others. *)
Theorem accepted_certificates_are_true (c : cell) (shards : list shard) (magics : list (Z * Z)) :
  check c shards = Accepted magics ->
  forall m, magic c m <-> is_listed (period_of c) magics m.
Proof.
  unfold check. destruct (is_a_question c) eqn:E; [|easy]. intros H m.
  assert (Hb : 0 <= its_bits c <= 64).
  { unfold is_a_question in E. rewrite !andb_true_iff in E. lia. }
  rewrite <- solving_is_being_a_magic by assumption.
  apply accepted_problems_are_settled in H as [H _]; [apply H|now apply problem_of_is_sound].
Qed.

(** The same where several runs, on several machines, have settled the shards. *)
Theorem joined_shards_are_true (c : cell) (settled : list (interval * list (Z * Z))) (magics : list (Z * Z)) :
  is_a_question c = true ->
  (forall root found, In (root, found) settled ->
     exists entries leaves,
       settle (problem_of c) (quick_of (depth_of c) (problem_of c)) root entries = inr (leaves, found)) ->
  join settled = Accepted magics ->
  forall m, magic c m <-> is_listed (period_of c) magics m.
Proof.
  intros E Hall H m.
  assert (Hb : 0 <= its_bits c <= 64).
  { unfold is_a_question in E. rewrite !andb_true_iff in E. lia. }
  pose proof (problem_of_is_sound c Hb) as Hp.
  rewrite <- solving_is_being_a_magic by assumption.
  apply (joined_shards_are_settled (problem_of c)) in H as [H _]; [apply H|].
  intros r l Hin. destruct (Hall r l Hin) as (entries & leaves & Hs).
  now apply shard_is_settled in Hs.
Qed.

(** Each magic is listed once: so the sum of the intervals' lengths is the number of magics. *)
Definition range (first last : Z) : list Z :=
  map (fun n => first + Z.of_nat n) (seq 0 (Z.to_nat (last - first + 1))).

Definition all_of (magics : list (Z * Z)) : list Z :=
  flat_map (fun i => range (fst i) (snd i)) magics.

Lemma in_range first last m : In m (range first last) <-> first <= m <= last.
Proof.
  unfold range. rewrite in_map_iff. split.
  - intros (n & <- & H). apply in_seq in H. lia.
  - intros H. exists (Z.to_nat (m - first)). split; [lia|]. apply in_seq. lia.
Qed.

Lemma range_once first last : NoDup (range first last).
Proof.
  unfold range. apply Injective_map_NoDup; [|apply seq_NoDup]. intros a b. lia.
Qed.

Lemma in_all_of magics n m : 0 <= m < 2 ^ n -> In m (all_of magics) <-> is_listed n magics m.
Proof.
  intros Hm. unfold all_of, is_listed. rewrite in_flat_map. rewrite Z.mod_small by assumption. split.
  - intros ([a b] & Hin & H). apply in_range in H. eauto.
  - intros (a & b & Hin & H). exists (a, b). split; [assumption|]. now apply in_range.
Qed.

Lemma no_duplicates_together (a : list Z) : forall b,
  NoDup a -> NoDup b -> (forall m, In m a -> ~ In m b) -> NoDup (a ++ b).
Proof.
  induction a as [|i a IH]; intros b Ha Hb H; [assumption|]. inversion_clear Ha as [|? ? Hi Ha'].
  cbn [app]. constructor.
  - rewrite in_app_iff. intros [Hin|Hin]; [now apply Hi|]. now apply (H i ltac:(now left)).
  - apply IH; auto. intros m Hm. apply H. now right.
Qed.

Lemma all_of_once magics n :
  (forall first last, In (first, last) magics -> 0 <= first /\ first <= last < 2 ^ n) ->
  (forall m, times n m magics <= 1) -> NoDup (all_of magics).
Proof.
  assert (Hpos : forall m l, 0 <= times n m l).
  { intros m l. induction l as [|i l IH]; cbn [times]; [lia|]. destruct (_ && _); lia. }
  induction magics as [|[a b] magics IH]; intros Hn Ht; [constructor|].
  unfold all_of in *. cbn [flat_map fst snd]. apply no_duplicates_together.
  - apply range_once.
  - apply IH; [intros; apply Hn; now right|]. intros m. specialize (Ht m). cbn [times] in Ht.
    destruct (_ && _); lia.
  - intros m Hm Hin. apply in_range in Hm.
    assert (Hr : 0 <= m < 2 ^ n) by (specialize (Hn a b ltac:(now left)); lia).
    fold (all_of magics) in Hin. apply (in_all_of magics n m Hr) in Hin as (a' & b' & Hin & Hab).
    specialize (Ht m). cbn [times fst snd] in Ht. rewrite (Z.mod_small m) in * by assumption.
    replace ((a <=? m) && (m <=? b)) with true in Ht by lia.
    assert (1 <= times n m magics); [|lia]. clear - Hin Hab Hr Hpos.
    induction magics as [|[c d] magics IH]; [easy|]. cbn [times fst snd].
    rewrite (Z.mod_small m) by assumption. pose proof (Hpos m magics).
    destruct Hin as [[= <- <-]|Hin].
    + replace ((c <=? m) && (m <=? d)) with true by lia. lia.
    + specialize (IH Hin). destruct (_ && _); lia.
Qed.

Lemma how_many_are_they magics :
  (forall first last, In (first, last) magics -> 0 <= first <= last) ->
  Z.of_nat (length (all_of magics)) = how_many magics.
Proof.
  unfold how_many, all_of. intros H.
  assert (Hsum : forall n, fold_left (fun n i => n + (snd i - fst i + 1)) magics n =
    n + Z.of_nat (length (flat_map (fun i => range (fst i) (snd i)) magics))).
  { induction magics as [|[a b] magics IH]; intros n; cbn [fold_left flat_map]; [cbn; lia|].
    rewrite IH by (intros; apply H; now right). rewrite app_length.
    unfold range at 2. rewrite map_length, seq_length. cbn [fst snd].
    specialize (H a b ltac:(now left)). lia. }
  now rewrite Hsum.
Qed.

Lemma as_many_as_listed (n : Z) (is_one : Z -> Prop) (magics : list (Z * Z)) :
  (forall m, is_one m <-> is_listed n magics m) ->
  (forall first last, In (first, last) magics -> 0 <= first /\ first <= last < 2 ^ n) ->
  (forall m, times n m magics <= 1) ->
  exists all : list Z,
    NoDup all /\ (forall m, In m all <-> 0 <= m < 2 ^ n /\ is_one m) /\
    Z.of_nat (length all) = how_many magics.
Proof.
  intros Hm Hn Hone.
  exists (all_of magics). split; [now apply all_of_once with (n := n)|]. split.
  - intros m. rewrite Hm. split.
    + intros Hin. assert (Hr : 0 <= m < 2 ^ n).
      { unfold all_of in Hin. apply in_flat_map in Hin as ([a b] & Hin & Hab).
        apply in_range in Hab. cbn [fst snd] in Hab. specialize (Hn a b Hin). lia. }
      split; [assumption|]. now apply (in_all_of magics n m Hr).
    + intros [Hr Hl]. now apply (in_all_of magics n m Hr).
  - apply how_many_are_they. intros a b Hin. specialize (Hn a b Hin). lia.
Qed.

Theorem number_of_magics (c : cell) (shards : list shard) (magics : list (Z * Z)) :
  check c shards = Accepted magics ->
  exists all : list Z,
    NoDup all /\ (forall m, In m all <-> 0 <= m < 2 ^ period_of c /\ magic c m) /\
    Z.of_nat (length all) = how_many magics.
Proof.
  intros H. pose proof (accepted_certificates_are_true c shards magics H) as Hm.
  unfold check in H. destruct (is_a_question c) eqn:E; [|easy].
  assert (Hb : 0 <= its_bits c <= 64).
  { unfold is_a_question in E. rewrite !andb_true_iff in E. lia. }
  apply accepted_problems_are_settled in H as (_ & Hn & Hone); [|now apply problem_of_is_sound].
  exact (as_many_as_listed (period_of c) (magic c) magics Hm Hn Hone).
Qed.

(** So the header is true as well, unless a shard lists so many that it may list only the first of
    them: what it lists are the magics of the cell. *)
Section Header.

Lemma same_list_is_equal a : forall b, same_list a b = true -> a = b.
Proof.
  induction a as [|[x y] a IH]; intros [|[x' y'] b]; cbn [same_list fst snd]; try easy.
  rewrite !andb_true_iff, !Z.eqb_eq. intros [[-> ->] H]. f_equal. auto.
Qed.

Lemma listed_apart n i l m :
  is_listed n (i :: l) m <-> fst i <= m mod 2 ^ n <= snd i \/ is_listed n l m.
Proof.
  unfold is_listed. split.
  - intros (a & b & [->|H] & Hm); [now left|right; eauto].
  - intros [H|(a & b & H & Hm)].
    + exists (fst i), (snd i). split; [left; now destruct i|assumption].
    + exists a, b. split; [now right|assumption].
Qed.

(** Running intervals together keeps their members, and none of them is empty afterwards. *)
Lemma run_together_keeps n m l :
  forallb is_not_empty l = true ->
  forallb is_not_empty (run_together l) = true /\
  (is_listed n (run_together l) m <-> is_listed n l m).
Proof.
  induction l as [|[a b] l IH]; [easy|].
  cbn [forallb]. rewrite andb_true_iff. intros [Hi Hl]. specialize (IH Hl) as [IH1 IH2].
  unfold is_not_empty in Hi. cbn [fst snd] in Hi. apply Z.leb_le in Hi.
  rewrite (listed_apart n (a, b) l), <- IH2. cbn [run_together fst snd].
  destruct (run_together l) as [|[a' b'] rest].
  - rewrite listed_apart. cbn [forallb is_not_empty fst snd]. unfold is_not_empty. cbn [fst snd].
    split; [rewrite andb_true_iff; lia|tauto].
  - cbn [forallb] in IH1. apply andb_true_iff in IH1 as [Hj Hrest].
    unfold is_not_empty in Hj. cbn [fst snd] in Hj. apply Z.leb_le in Hj.
    destruct (Z.eqb_spec (b + 1) a') as [E|E];
      rewrite !listed_apart; cbn [forallb fst snd]; rewrite !andb_true_iff, Hrest;
      unfold is_not_empty; cbn [fst snd]; rewrite !Z.leb_le.
    + split; [lia|]. assert (a <= m mod 2 ^ n <= b' <-> a <= m mod 2 ^ n <= b \/ a' <= m mod 2 ^ n <= b') by lia.
      tauto.
    + split; [lia|tauto].
Qed.

Definition lists_all (s : shard) : Prop := Z.of_nat (length (listed s)) < most_listed.

Lemma listed_are_found n m s magics :
  as_listed s magics = true -> lists_all s ->
  is_listed n magics m <-> is_listed n (listed s) m.
Proof.
  unfold as_listed, lists_all. intros H Hall. apply andb_true_iff in H as [H _].
  apply orb_true_iff in H as [H|H].
  - apply same_list_is_equal in H.
    assert (E : firstn (Z.to_nat most_listed) magics = magics).
    { apply firstn_all2. rewrite <- H, firstn_length in Hall. lia. }
    rewrite <- H, E. tauto.
  - rewrite !andb_true_iff in H. destruct H as [[[_ H1] H2] H3].
    apply same_list_is_equal in H3.
    destruct (run_together_keeps n m magics H1) as [_ <-].
    destruct (run_together_keeps n m (listed s) H2) as [_ <-]. now rewrite H3.
Qed.

Lemma shard_is_as_listed p q n m s magics :
  check_shard p q s = inr magics -> lists_all s ->
  is_listed n magics m <-> is_listed n (listed s) m.
Proof.
  unfold check_shard. destruct (settle p q (root s) (entries s)) as [|[leaves found]]; [easy|].
  destruct (as_listed s found) eqn:E; [|easy]. intros [= <-]. now apply listed_are_found.
Qed.

Lemma shards_are_as_listed p q n m shards : forall k seen magics,
  check_shards p q k shards seen = Accepted magics ->
  (forall s, In s shards -> lists_all s) ->
  is_listed n magics m <->
  is_listed n (concat (map snd seen)) m \/ exists s, In s shards /\ is_listed n (listed s) m.
Proof.
  induction shards as [|s shards IH]; cbn [check_shards]; intros k seen magics H Hall.
  - unfold join in H. destruct (roots_are_everything _); [|easy]. injection H as <-.
    rewrite map_rev, !listed_together. split.
    + intros (l & Hl & Hm). apply in_rev in Hl. left. now exists l.
    + intros [(l & Hl & Hm)|(s & [] & _)]. exists l. rewrite <- in_rev. now split.
  - destruct (check_shard p q s) as [[broken leaf_number]|more] eqn:E; [easy|].
    apply (shard_is_as_listed p q n m) in E; [|apply Hall; now left].
    rewrite (IH _ _ _ H) by (intros s' Hs'; apply Hall; now right).
    cbn [map concat snd]. clear IH H. split.
    + intros [Hm|(s' & Hs' & Hm)]; [|right; exists s'; split; [now right|assumption]].
      destruct Hm as (a & b & Hin & Hab). apply in_app_or in Hin as [Hin|Hin].
      * right. exists s. split; [now left|]. apply E. now exists a, b.
      * left. now exists a, b.
    + intros [(a & b & Hin & Hab)|(s' & [->|Hs'] & Hm)].
      * left. exists a, b. split; [apply in_or_app; now right|assumption].
      * left. apply E in Hm as (a & b & Hin & Hab). exists a, b.
        split; [apply in_or_app; now left|assumption].
      * right. now exists s'.
Qed.

Theorem headers_are_true c shards magics :
  check c shards = Accepted magics -> (forall s, In s shards -> lists_all s) ->
  forall m, magic c m <-> exists s, In s shards /\ is_listed (period_of c) (listed s) m.
Proof.
  intros H Hall m. rewrite (accepted_certificates_are_true c shards magics H).
  unfold check in H. destruct (is_a_question c); [|easy].
  unfold check_problem in H. destruct (check_header (problem_of c) shards); [|easy].
  rewrite (shards_are_as_listed _ _ (period_of c) m _ _ _ _ H Hall). cbn [map concat].
  split; [|tauto]. intros [(a & b & [] & _)|Hm]. assumption.
Qed.

End Header.

(** The same in two halves, for words. *)
Corollary every_word_is_settled c shards magics :
  check c shards = Accepted magics ->
  forall m, 0 <= m < 2 ^ 64 ->
    (is_listed (period_of c) magics m /\ magic c m) \/ ~ magic c m.
Proof.
  intros H m _. pose proof (accepted_certificates_are_true c shards magics H m) as Hm.
  destruct (existsb (fun i => (fst i <=? m mod 2 ^ period_of c) && (m mod 2 ^ period_of c <=? snd i))
              magics) eqn:E.
  - left. assert (Hl : is_listed (period_of c) magics m); [|tauto].
    apply existsb_exists in E as ([a b] & Hin & Hab). exists a, b. split; [assumption|].
    cbn [fst snd] in Hab. lia.
  - right. intros Hmagic. apply Hm in Hmagic as (a & b & Hin & Hab).
    assert (existsb (fun i => (fst i <=? m mod 2 ^ period_of c) &&
              (m mod 2 ^ period_of c <=? snd i)) magics = true); [|congruence].
    apply existsb_exists. exists (a, b). split; [assumption|]. cbn [fst snd]. lia.
Qed.

(** And where it returns nothing, there is no magic. *)
Corollary no_magic c shards : check c shards = Accepted [] -> forall m, ~ magic c m.
Proof.
  intros H m Hm. apply (accepted_certificates_are_true c shards [] H) in Hm.
  destruct Hm as (a & b & [] & _).
Qed.
