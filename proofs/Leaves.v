(** * Leaves: what one fact of a certificate says, and its check

    docs/cover-certificates.md in formulas. A [problem] is what a certificate speaks about: a row for
    each occupancy, and which slots are allowed. [Cells] and [Tables] make one from a cell. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words.
Import ListNotations.
Open Scope Z_scope.

(** One occupancy: its multiplicand, from which bit of m on it is blind, its attack set. *)
Record row := { x : Z; width : Z; attack : Z }.

Record problem := {
  rows : list row;
  row_number : Z -> option row;
  bits : Z;
  added : Z;
  least : Z;
  most : Z;
}.

Definition slot_at (p : problem) (m : Z) (r : row) : Z := slot (bits p) (x r) (added p) m.

Definition allowed (p : problem) (s : Z) : Prop := least p <= s <= most p.

(** m solves the problem: every slot is allowed, and no two rows conflict. *)
Definition solves (p : problem) (m : Z) : Prop :=
  (forall r, In r (rows p) -> allowed p (slot_at p m r)) /\
  (forall r r', In r (rows p) -> In r' (rows p) ->
     slot_at p m r = slot_at p m r' -> attack r = attack r').

(** From this bit of m on all rows are blind: m counts modulo 2^period. *)
Definition period (p : problem) : Z := fold_right (fun r => Z.max (width r)) 0 (rows p).

(** All m with low <= m mod 2^w <= high. *)
Record interval := { w : Z; low : Z; high : Z }.

Definition member (m : Z) (i : interval) : Prop := low i <= m mod 2 ^ w i <= high i.

(** A leaf is a conflict (first < second), a slot that is not allowed (first = second), or magics
    (first = 1, second = 0). *)
Record leaf := { where_ : interval; first : Z; second : Z }.

Definition claims_magics (l : leaf) : bool := (first l =? 1) && (second l =? 0).

(** ** The rules that can be broken *)
Inductive rule :=
  (* of all leaves *)
  | W_above_64 | Low_above_high | High_not_below_2_to_the_w
  | No_such_occupancy | First_above_second
  | Sees_above_w | Leaves_its_bucket
  (* of conflicts *)
  | Two_slots | Equal_attack_sets
  (* of slots not allowed *)
  | Slot_is_allowed
  (* of magics *)
  | Not_the_period | Magics_leave_their_bucket | Magics_in_a_slot_not_allowed | Magics_conflict
  (* of the cover *)
  | Shard_not_covered | Roots_are_not_everything
  (* of the header *)
  | Not_a_question
  | Listed_above_the_period | Listed_outside_the_shard | Listed_twice | Listed_and_counted_differ
  | Magics_are_not_those_listed.

(** ** The check of a leaf

    [None]: no rule is broken. The two numbers of a word, its slot and its place in the bucket, are
    taken out by shifts and masks of bits; [Z.ones n] is 2^n - 1. *)

Definition word_ones : Z := Z.ones 64.

Section Checking.

Variable p : problem.

(** The slot of a row at [from], and whether it stays there for another [length] m. What depends on
    the problem alone is computed once. *)
Definition look : Z -> Z -> row -> Z * bool :=
  let shift := 64 - bits p in
  let within := Z.ones shift in
  let size := 2 ^ shift in
  fun from length r =>
    let v := Z.land (x r * from + added p) word_ones in
    (Z.shiftr v shift, Z.land v within + x r * length <? size).

Variable see : Z -> Z -> row -> Z * bool.   (* [look], below *)

Definition is_allowed (s : Z) : bool := (least p <=? s) && (s <=? most p).

Definition conflict_or_slot_fault (l : leaf) (r r' : row) : option rule :=
  let i := where_ l in
  let length := high i - low i in
  let (s, stay) := see (low i) length r in
  let (s', stay') := see (low i) length r' in
  if negb ((width r <=? w i) && (width r' <=? w i)) then Some Sees_above_w
  else if negb (stay && stay') then Some Leaves_its_bucket
  else if first l =? second l then (if is_allowed s then Some Slot_is_allowed else None)
  else if negb (s =? s') then Some Two_slots
  else if attack r =? attack r' then Some Equal_attack_sets
  else None.

(** What is in the slots so far: a binary tree, as deep as a slot has bits. *)
Inductive book := Blank | Page (even : book) (here : option Z) (odd : book).

Fixpoint read (b : book) (n : positive) : option Z :=
  match b, n with
  | Blank, _ => None
  | Page _ here _, xH => here
  | Page even _ _, xO n => read even n
  | Page _ _ odd, xI n => read odd n
  end.

Fixpoint write (b : book) (n : positive) (a : Z) : book :=
  match n, b with
  | xH, Blank => Page Blank (Some a) Blank
  | xH, Page even _ odd => Page even (Some a) odd
  | xO n, Blank => Page (write Blank n a) None Blank
  | xO n, Page even here odd => Page (write even n a) here odd
  | xI n, Blank => Page Blank None (write Blank n a)
  | xI n, Page even here odd => Page even here (write odd n a)
  end.

(** The exhaustive check of all rows, from one m on for [length] more. *)
Fixpoint magics_fault (from length : Z) (unseen : list row) (b : book) : option rule :=
  match unseen with
  | [] => None
  | r :: unseen =>
      let (s, stay) := see from length r in
      if negb stay then Some Magics_leave_their_bucket
      else if negb (is_allowed s) then Some Magics_in_a_slot_not_allowed
      else
        let n := Z.to_pos (s + 1) in
        match read b n with
        | None => magics_fault from length unseen (write b n (attack r))
        | Some a =>
            if a =? attack r then magics_fault from length unseen b else Some Magics_conflict
        end
  end.

Definition period_and_magics_fault (i : interval) : option rule :=
  if negb (w i =? period p) then Some Not_the_period
  else magics_fault (low i) (high i - low i) (rows p) Blank.

Definition interval_fault (i : interval) : option rule :=
  if negb ((0 <=? w i) && (w i <=? 64)) then Some W_above_64
  else if negb (low i <=? high i) then Some Low_above_high
  else if negb (Z.shiftr (high i) (w i) =? 0) then Some High_not_below_2_to_the_w
  else None.

Definition fault_of (l : leaf) : option rule :=
  match interval_fault (where_ l) with
  | Some broken => Some broken
  | None =>
      if claims_magics l then period_and_magics_fault (where_ l)
      else if second l <? first l then Some First_above_second
      else
        match row_number p (first l), row_number p (second l) with
        | Some r, Some r' => conflict_or_slot_fault l r r'
        | _, _ => Some No_such_occupancy
        end
  end.

End Checking.

Definition leaf_fault (p : problem) : leaf -> option rule := let see := look p in fault_of p see.

(** ** What follows *)

(** What is taken for granted of a problem; [Tables] proves it of every cell's. *)
Definition row_is_sound (r : row) : Prop :=
  0 <= x r /\ 0 <= width r /\ blind_above (x r) (width r).

Record is_sound (p : problem) : Prop := {
  bits_are_few : 0 <= bits p <= 64;
  rows_are_sound : forall r, In r (rows p) -> row_is_sound r;
  numbers_are_of_rows : forall n r, row_number p n = Some r -> In r (rows p);
}.

Lemma read_what_is_written b : forall n n' a,
  read (write b n a) n' = if Pos.eqb n n' then Some a else read b n'.
Proof.
  induction b as [|even IHe here odd IHo].
  - intros n; induction n; destruct n'; simpl; intros a; try rewrite IHn;
      try (destruct n'; reflexivity); reflexivity.
  - destruct n, n'; simpl; intros a; auto.
Qed.

Section Sound.

Variable p : problem.
Hypothesis sound : is_sound p.

Lemma bucket_is_size : bucket (bits p) = 2 ^ (64 - bits p).
Proof. reflexivity. Qed.

Lemma look_is_right from length r s stay :
  look p from length r = (s, stay) ->
  s = slot_at p from r /\
  stay = ((x r * from + added p) mod bucket (bits p) + x r * length <? bucket (bits p)).
Proof.
  unfold look. intros E. apply pair_equal_spec in E as [<- <-].
  pose proof (bits_are_few p sound).
  unfold word_ones. rewrite !Z.land_ones, Z.shiftr_div_pow2 by lia.
  split; [reflexivity|]. unfold bucket. fold (bucket (bits p)).
  now rewrite place_in_bucket.
Qed.

(** A row that is blind above w and stays has its first slot on the whole interval. *)
Lemma slot_on_an_interval i m r s :
  In r (rows p) -> width r <= w i ->
  look p (low i) (high i - low i) r = (s, true) -> member m i -> slot_at p m r = s.
Proof.
  intros Hr Hw Hl Hm. destruct (rows_are_sound p sound r Hr) as (Hx & H0 & Hb).
  apply look_is_right in Hl as [-> Hs]. symmetry in Hs. apply Z.ltb_lt in Hs.
  apply slot_on_a_leaf with (w := w i) (high := high i); auto.
  - apply (bits_are_few p sound).
  - lia.
  - now apply blind_above_more with (w := width r).
Qed.

Lemma within_the_period r : In r (rows p) -> width r <= period p.
Proof.
  unfold period. generalize (rows p). induction l as [|r' l IH]; simpl; [easy|].
  intros [->|H]; [lia|specialize (IH H); lia].
Qed.

Lemma allowed_spec s : is_allowed p s = true <-> allowed p s.
Proof. unfold is_allowed, allowed. rewrite andb_true_iff. lia. Qed.

(** The book says what has been seen: whoever is in a slot has the attack set that is written. *)
Lemma magics_are_seen from length : forall unseen b seen,
  (forall r, In r seen -> exists s,
      look p from length r = (s, true) /\ allowed p s /\
      read b (Z.to_pos (s + 1)) = Some (attack r)) ->
  magics_fault p (look p) from length unseen b = None ->
  exists b', forall r, In r (seen ++ unseen) -> exists s,
      look p from length r = (s, true) /\ allowed p s /\
      read b' (Z.to_pos (s + 1)) = Some (attack r).
Proof.
  induction unseen as [|r unseen IH]; intros b seen Hseen H.
  - exists b. now rewrite app_nil_r.
  - cbn [magics_fault] in H.
    destruct (look p from length r) as [s stay] eqn:El.
    destruct stay; cbn [negb] in H; [|easy].
    destruct (is_allowed p s) eqn:Ea; cbn [negb] in H; [|easy].
    apply allowed_spec in Ea.
    replace (seen ++ r :: unseen) with ((seen ++ [r]) ++ unseen) by (now rewrite <- app_assoc).
    destruct (read b (Z.to_pos (s + 1))) as [a|] eqn:Er.
    + destruct (Z.eqb_spec a (attack r)) as [->|]; [|easy].
      apply (IH b); [|assumption]. intros r' Hr'.
      apply in_app_or in Hr' as [Hr'|[<-|[]]]; [auto|]. now exists s.
    + apply (IH (write b (Z.to_pos (s + 1)) (attack r))); [|assumption]. intros r' Hr'.
      apply in_app_or in Hr' as [Hr'|[<-|[]]].
      * destruct (Hseen r' Hr') as (s' & H1 & H2 & H3). exists s'. repeat split; auto; try apply H2.
        rewrite read_what_is_written.
        destruct (Pos.eqb_spec (Z.to_pos (s + 1)) (Z.to_pos (s' + 1))) as [E|]; [|assumption].
        rewrite <- E in H3. congruence.
      * exists s. repeat split; auto; try apply Ea.
        now rewrite read_what_is_written, Pos.eqb_refl.
Qed.

Lemma magics_are_magics i :
  period_and_magics_fault p (look p) i = None -> forall m, member m i -> solves p m.
Proof.
  unfold period_and_magics_fault. destruct (Z.eqb_spec (w i) (period p)) as [E|]; [|easy].
  cbn [negb]. intros H m Hm.
  apply magics_are_seen with (seen := []) in H as [b Hb]; [|easy]. simpl in Hb.
  assert (Hs : forall r, In r (rows p) ->
             allowed p (slot_at p m r) /\
             read b (Z.to_pos (slot_at p m r + 1)) = Some (attack r)).
  { intros r Hr. destruct (Hb r Hr) as (s & H1 & H2 & H3).
    assert (slot_at p m r = s) as ->; [|easy].
    apply slot_on_an_interval with (i := i); auto.
    rewrite E. now apply within_the_period. }
  split; [intros r Hr; apply Hs, Hr|].
  intros r r' Hr Hr' Es. destruct (Hs r Hr) as [_ H1], (Hs r' Hr') as [_ H2].
  rewrite Es in H1. congruence.
Qed.

Lemma conflict_or_slot_is_no_magic l r r' :
  In r (rows p) -> In r' (rows p) -> (first l = second l -> r = r') ->
  conflict_or_slot_fault p (look p) l r r' = None ->
  forall m, member m (where_ l) -> ~ solves p m.
Proof.
  unfold conflict_or_slot_fault. intros Hr Hr' Hsame H m Hm [Hall Hattack].
  destruct (look p _ _ r) as [s stay] eqn:El.
  destruct (look p _ _ r') as [s' stay'] eqn:El'.
  destruct (Z.leb_spec (width r) (w (where_ l))); [|easy].
  destruct (Z.leb_spec (width r') (w (where_ l))); [|easy].
  destruct stay, stay'; try easy. cbn [andb negb] in H.
  pose proof (slot_on_an_interval (where_ l) m r s Hr ltac:(lia) El Hm) as Es.
  pose proof (slot_on_an_interval (where_ l) m r' s' Hr' ltac:(lia) El' Hm) as Es'.
  destruct (first l =? second l).
  - destruct (is_allowed p s) eqn:Ea; [easy|].
    specialize (Hall r Hr). rewrite Es in Hall. apply allowed_spec in Hall. congruence.
  - destruct (Z.eqb_spec s s') as [->|]; [|easy]. cbn [negb] in H.
    destruct (Z.eqb_spec (attack r) (attack r')) as [|E]; [easy|].
    apply E, Hattack; congruence.
Qed.

(** A leaf that breaks no rule is true. *)
Theorem leaf_is_true l :
  leaf_fault p l = None ->
  0 <= w (where_ l) /\
  (claims_magics l = true ->
     w (where_ l) = period p /\ forall m, member m (where_ l) -> solves p m) /\
  (claims_magics l = false -> forall m, member m (where_ l) -> ~ solves p m).
Proof.
  unfold leaf_fault, fault_of. cbv zeta. destruct (interval_fault (where_ l)) eqn:Ei; [easy|].
  assert (Hw : 0 <= w (where_ l)).
  { unfold interval_fault in Ei. now destruct (Z.leb_spec 0 (w (where_ l))). }
  intros H. split; [assumption|]. destruct (claims_magics l).
  - split; [|easy]. intros _. split.
    + unfold period_and_magics_fault in H. now destruct (Z.eqb_spec (w (where_ l)) (period p)).
    + now apply magics_are_magics.
  - split; [easy|]. intros _.
    destruct (second l <? first l); [easy|].
    destruct (row_number p (first l)) as [r|] eqn:E1; [|easy].
    destruct (row_number p (second l)) as [r'|] eqn:E2; [|easy].
    apply conflict_or_slot_is_no_magic with r r'; auto.
    1, 2: eapply numbers_are_of_rows; eauto.
    intros E. rewrite E in E1. congruence.
Qed.

End Sound.
