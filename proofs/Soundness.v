(** * The theorem: what the checker accepts is true *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Board Cells Leaves Covers Tables Checker.
Import ListNotations.
Open Scope Z_scope.

Section Proof.

Variable p : problem.
Hypothesis sound : is_sound p.

(** What is known of m once its leaf has been seen; and what is known of all that is listed. *)
Definition settled (magics : list (Z * Z)) (m : Z) : Prop :=
  is_listed (period p) magics m \/ ~ solves p m.

Definition all_solve (magics : list (Z * Z)) : Prop :=
  forall m, is_listed (period p) magics m -> solves p m.

(** The invariant of a stream. *)
Definition holds (pr : progress) : Prop :=
  match pr with
  | Stopped _ _ => True
  | Going s => all_solve (found s) /\ forall m, covered m (before s) -> settled (found s) m
  end.

Lemma listed_more n i magics m : is_listed n magics m -> is_listed n (i :: magics) m.
Proof. intros (a & b & H & Hm). exists a, b. auto with datatypes. Qed.

Lemma step_holds stream pr : holds pr -> holds (step (leaf_fault p) stream pr).
Proof.
  destruct pr as [s|]; [|easy]. cbn [step]. intros [Hall Hcov].
  set (l := leaf_of (next s) (stream (number s))).
  destruct (leaf_fault p l) eqn:E; [easy|].
  apply leaf_is_true in E as (Hw & Hmagics & Hnone); [|assumption].
  cbn [holds found before]. destruct (claims_magics l).
  - destruct (Hmagics eq_refl) as [Ep Hm]. split.
    + intros m (a & b & [[= <- <-]|Hin] & Hab).
      * apply Hm. unfold member. now rewrite Ep.
      * apply Hall. now exists a, b.
    + intros m Hc. apply push_covers in Hc as [Hc|Hc].
      * destruct (Hcov m Hc); [left; now apply listed_more|now right].
      * left. exists (low (where_ l)), (high (where_ l)). split; [now left|].
        unfold member in Hc. now rewrite <- Ep.
  - split; [assumption|]. intros m Hc. apply push_covers in Hc as [Hc|Hc]; [auto|].
    right. now apply Hnone.
Qed.

Lemma run_holds s : holds (run_shard (leaf_fault p) s).
Proof.
  assert (H0 : holds (Going {| number := 0; next := low (root s); before := []; found := [] |})).
  { split.
    - intros m (a & b & [] & _).
    - intros m (i & [] & _). }
  unfold run_shard. destruct (count s) as [|n|n]; try assumption.
  apply Pos.iter_invariant; [|assumption]. intros pr. apply step_holds.
Qed.

Lemma listed_in_any_order n magics m : is_listed n (rev magics) m <-> is_listed n magics m.
Proof.
  unfold is_listed. split; intros (a & b & H & Hm); exists a, b; split; auto.
  - now apply in_rev.
  - now apply in_rev in H.
Qed.

Lemma shard_is_settled s magics :
  check_shard (leaf_fault p) s = inr magics ->
  all_solve magics /\ forall m, member m (root s) -> settled magics m.
Proof.
  unfold check_shard. pose proof (run_holds s) as H.
  destruct (run_shard (leaf_fault p) s) as [last|]; [|easy]. destruct H as [Hall Hcov].
  destruct (is_complete (before last) (root s)) eqn:E; [|easy]. cbn [negb].
  destruct (as_listed s (rev (found last))); [|easy]. intros [= <-]. split.
  - intros m Hm. apply Hall. now apply listed_in_any_order.
  - intros m Hm. apply (complete_covers_the_root _ _ _ E) in Hm.
    destruct (Hcov m Hm) as [Hl|Hl]; [left; now apply listed_in_any_order|now right].
Qed.

Lemma listed_together n (lists : list (list (Z * Z))) m :
  is_listed n (concat lists) m <-> exists magics, In magics lists /\ is_listed n magics m.
Proof.
  unfold is_listed. split.
  - intros (a & b & H & Hm). apply in_concat in H as (l & Hl & H). eauto 8.
  - intros (l & Hl & a & b & H & Hm). exists a, b. split; [|assumption].
    apply in_concat. eauto.
Qed.

Lemma shards_are_settled shards : forall n seen magics,
  check_shards (leaf_fault p) n shards seen = Accepted magics ->
  (forall l, In l seen -> all_solve l) ->
  all_solve magics /\
  (forall l m, In l seen -> is_listed (period p) l m -> is_listed (period p) magics m) /\
  (forall m, covered m (map root shards) -> settled magics m).
Proof.
  induction shards as [|s shards IH]; cbn [check_shards map]; intros n seen magics H Hseen.
  - injection H as <-. split; [|split].
    + intros m Hm. apply listed_together in Hm as (l & Hl & Hm).
      apply in_rev in Hl. now apply (Hseen l Hl m).
    + intros l m Hl Hm. apply listed_together. exists l. split; [|assumption].
      now apply in_rev in Hl.
    + intros m (i & [] & _).
  - destruct (check_shard (leaf_fault p) s) as [[broken k]|more] eqn:E; [easy|].
    apply shard_is_settled in E as [Hall Hroot].
    apply IH in H as (H1 & H2 & H3).
    + split; [assumption|]. split; [intros l m Hl; apply H2; now right|].
      intros m (i & [<-|Hi] & Hm).
      * destruct (Hroot m Hm); [left; apply (H2 more); [now left|assumption]|now right].
      * apply H3. now exists i.
    + intros l [<-|Hl]; auto.
Qed.

Theorem accepted_problems_are_settled shards magics :
  check_problem p shards = Accepted magics ->
  forall m, solves p m <-> is_listed (period p) magics m.
Proof.
  unfold check_problem, check_header.
  destruct (roots_are_everything (map root shards)) eqn:E; [|easy].
  destruct (check_headers p 0 shards); [|easy]. intros H m.
  apply shards_are_settled in H as (Hall & _ & Hcov); [|easy]. split.
  - intros Hm. destruct (Hcov m (roots_cover_everything _ _ E)); tauto.
  - apply Hall.
Qed.

End Proof.

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
  apply accepted_problems_are_settled with (shards := shards); [|assumption].
  now apply problem_of_is_sound.
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
  forallb has_members l = true ->
  forallb has_members (run_together l) = true /\
  (is_listed n (run_together l) m <-> is_listed n l m).
Proof.
  induction l as [|[a b] l IH]; [easy|].
  cbn [forallb]. rewrite andb_true_iff. intros [Hi Hl]. specialize (IH Hl) as [IH1 IH2].
  unfold has_members in Hi. cbn [fst snd] in Hi. apply Z.leb_le in Hi.
  rewrite (listed_apart n (a, b) l), <- IH2. cbn [run_together fst snd].
  destruct (run_together l) as [|[a' b'] rest].
  - rewrite listed_apart. cbn [forallb has_members fst snd]. unfold has_members. cbn [fst snd].
    split; [rewrite andb_true_iff; lia|tauto].
  - cbn [forallb] in IH1. apply andb_true_iff in IH1 as [Hj Hrest].
    unfold has_members in Hj. cbn [fst snd] in Hj. apply Z.leb_le in Hj.
    destruct (Z.eqb_spec (b + 1) a') as [E|E];
      rewrite !listed_apart; cbn [forallb fst snd]; rewrite !andb_true_iff, Hrest;
      unfold has_members; cbn [fst snd]; rewrite !Z.leb_le.
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

Lemma shard_is_as_listed p n m s magics :
  check_shard (leaf_fault p) s = inr magics -> lists_all s ->
  is_listed n magics m <-> is_listed n (listed s) m.
Proof.
  unfold check_shard. destruct (run_shard (leaf_fault p) s); [|easy].
  destruct (negb _); [easy|]. destruct (as_listed s _) eqn:E; [|easy]. intros [= <-].
  now apply listed_are_found.
Qed.

Lemma shards_are_as_listed p n m shards : forall k seen magics,
  check_shards (leaf_fault p) k shards seen = Accepted magics ->
  (forall s, In s shards -> lists_all s) ->
  is_listed n magics m <->
  is_listed n (concat seen) m \/ exists s, In s shards /\ is_listed n (listed s) m.
Proof.
  induction shards as [|s shards IH]; cbn [check_shards]; intros k seen magics H Hall.
  - injection H as <-. rewrite !listed_together. split.
    + intros (l & Hl & Hm). apply in_rev in Hl. left. now exists l.
    + intros [(l & Hl & Hm)|(s & [] & _)]. apply in_rev in Hl. now exists l.
  - destruct (check_shard (leaf_fault p) s) as [[broken leaf_number]|more] eqn:E; [easy|].
    apply (shard_is_as_listed p n m) in E; [|apply Hall; now left].
    rewrite (IH _ _ _ H) by (intros s' Hs'; apply Hall; now right).
    cbn [concat]. clear IH H. split.
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
  rewrite (shards_are_as_listed _ (period_of c) m _ _ _ _ H Hall). cbn [concat].
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
