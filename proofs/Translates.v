(** * Counting slots, L20 and L21: the moves of the file, and the count of all classes

    proofs/rounding-lemma.md, "Counting slots". Here a list of moves begins with the square nearest to the
    rook: v_6, ..., v_1. So what is farther away than a square is the rest of the list. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Counting.
Import ListNotations.
Open Scope Z_scope.

(** The sum of a set of moves, and all sums. *)
Fixpoint sum_of (F : list bool) (moves : list Z) : Z :=
  match F, moves with
  | b :: F, v :: moves => (if b : bool then v else 0) + sum_of F moves
  | _, _ => 0
  end.

Fixpoint sums (moves : list Z) : list Z :=
  match moves with
  | [] => [0]
  | v :: moves => sums moves ++ map (Z.add v) (sums moves)
  end.

Definition is_set_of (moves : list Z) (F : list bool) : Prop := length F = length moves.

Lemma in_sums moves : forall x, In x (sums moves) -> exists F, is_set_of moves F /\ x = sum_of F moves.
Proof.
  unfold is_set_of. induction moves as [|v moves IH]; cbn [sums]; intros x H.
  - destruct H as [<-|[]]. now exists [].
  - apply in_app_or in H as [H|H].
    + destruct (IH x H) as (F & E & ->). exists (false :: F). cbn. split; [congruence|lia].
    + apply in_map_iff in H as (y & <- & H). destruct (IH y H) as (F & E & ->).
      exists (true :: F). cbn. split; [congruence|lia].
Qed.

Lemma length_of_sums moves : Z.of_nat (length (sums moves)) = 2 ^ Z.of_nat (length moves).
Proof.
  induction moves as [|v moves IH]; [easy|].
  cbn [sums length]. rewrite app_length, map_length, Nat2Z.inj_add, IH, Nat2Z.inj_succ, Z.pow_succ_r by lia.
  lia.
Qed.

Lemma sums_moved o v moves :
  map (Z.add o) (sums (v :: moves)) = map (Z.add o) (sums moves) ++ map (Z.add (o + v)) (sums moves).
Proof. cbn [sums]. rewrite map_app, map_map. f_equal. apply map_ext. intros; lia. Qed.

(** ** L20, doubling *)

Section Doubling.

Variable phi : Z -> Z.

(** What translates by all sums, and these moved by y, share at most, if two copies of the line that lie
    d apart share phi d: [f_n] of the document. *)
Definition overlap (moves : list Z) (y : Z) : Z :=
  total (sums moves) (fun x => total (sums moves) (fun x' => phi (y + x' - x))).

Theorem L20 v moves y :
  overlap (v :: moves) y = 2 * overlap moves y + overlap moves (y + v) + overlap moves (y - v).
Proof.
  unfold overlap. cbn [sums]. rewrite total_app.
  rewrite (total_ext _ (fun x => total (sums moves ++ map (Z.add v) (sums moves)) _)
    (fun x => total (sums moves) (fun x' => phi (y + x' - x))
              + total (sums moves) (fun x' => phi (y + v + x' - x)))).
  2:{ intros x _. rewrite total_app, total_map. f_equal. apply total_ext. intros; f_equal; lia. }
  rewrite total_map.
  rewrite (total_ext _ (fun x => total (sums moves ++ map (Z.add v) (sums moves)) _)
    (fun x => total (sums moves) (fun x' => phi (y - v + x' - x))
              + total (sums moves) (fun x' => phi (y + x' - x)))).
  2:{ intros x _. rewrite total_app, total_map. f_equal; apply total_ext; intros; f_equal; lia. }
  rewrite !total_plus. lia.
Qed.

(** The differences of two sets of squares: what each is, and how many of the squares it does not have. *)
Fixpoint set_differences (moves : list Z) : list (Z * Z) :=
  match moves with
  | [] => [(0, 0)]
  | v :: moves =>
      map (fun e => (fst e, snd e + 1)) (set_differences moves)
      ++ map (fun e => (fst e + v, snd e)) (set_differences moves)
      ++ map (fun e => (fst e - v, snd e)) (set_differences moves)
  end.

Lemma how_many_set_differences moves : Z.of_nat (length (set_differences moves)) = 3 ^ Z.of_nat (length moves).
Proof.
  induction moves as [|v moves IH]; [easy|]. cbn [set_differences length].
  rewrite !app_length, !map_length, !Nat2Z.inj_add, IH, Nat2Z.inj_succ, Z.pow_succ_r by lia. lia.
Qed.

Lemma lacks_no_square_less moves e : In e (set_differences moves) -> 0 <= snd e.
Proof.
  revert e. induction moves as [|v moves IH]; cbn [set_differences In]; intros e H.
  - destruct H as [<-|[]]. cbn. lia.
  - rewrite !in_app_iff, !in_map_iff in H.
    destruct H as [(e' & <- & H)|[(e' & <- & H)|(e' & <- & H)]]; cbn [snd]; specialize (IH e' H); lia.
Qed.

(** L20: f_n by the 3^n differences, from the overlaps of what was known before. *)
Theorem L20_by_differences more : forall moves y,
  overlap (more ++ moves) y = total (set_differences more) (fun e => 2 ^ snd e * overlap moves (y + fst e)).
Proof.
  induction more as [|v more IH]; intros moves y; cbn [app set_differences].
  - unfold total. cbn [fold_right fst snd]. rewrite !Z.add_0_r. lia.
  - rewrite L20, !IH, !total_app, !total_map.
    rewrite <- total_times, <- Z.add_assoc. f_equal; [|f_equal]; apply total_ext; intros e He; cbn [fst snd].
    + apply lacks_no_square_less in He. rewrite Z.pow_add_r by lia. ring.
    + do 2 f_equal. lia.
    + do 2 f_equal. lia.
Qed.

(** A move and its opposite. *)
Theorem opposite_overlap :
  (forall y, phi (- y) = phi y) -> forall moves y, overlap moves (- y) = overlap moves y.
Proof.
  intros H. induction moves as [|v moves IH]; intros y.
  - unfold overlap, total. cbn [sums fold_right].
    replace (- y + 0 - 0) with (- (y + 0 - 0)) by lia. now rewrite H.
  - rewrite !L20, IH. replace (- y + v) with (- (y - v)) by lia. replace (- y - v) with (- (y + v)) by lia.
    rewrite !IH. lia.
Qed.

Lemma overlap_of_none y : overlap [] y = phi y.
Proof. unfold overlap, total. cbn [sums fold_right]. rewrite !Z.add_0_r. f_equal. lia. Qed.

(** Which moves can be at all. *)
Variable may : Z -> bool.

Definition admissible (moves : list Z) (y : Z) : Prop :=
  forall x x', In x (sums moves) -> In x' (sums moves) -> may (y + x' - x) = true.

Lemma admissible_further v moves y :
  admissible (v :: moves) y ->
  admissible moves y /\ admissible moves (y + v) /\ admissible moves (y - v).
Proof.
  unfold admissible. cbn [sums]. intros H. repeat split; intros x x' Hx Hx'.
  - apply H; apply in_or_app; auto.
  - replace (y + v + x' - x) with (y + (v + x') - x) by lia.
    apply H; apply in_or_app; auto using in_map.
  - replace (y - v + x' - x) with (y + x' - (v + x)) by lia.
    apply H; apply in_or_app; auto using in_map.
Qed.

(** An upper bound for all moves is one with a square more, four times as large. *)
Lemma overlap_of_one_more v moves M :
  (forall y, admissible moves y -> overlap moves y <= M) ->
  forall y, admissible (v :: moves) y -> overlap (v :: moves) y <= 4 * M.
Proof.
  intros H y Hy. apply admissible_further in Hy as (H1 & H2 & H3).
  rewrite L20. pose proof (H _ H1). pose proof (H _ H2). pose proof (H _ H3). lia.
Qed.

End Doubling.

(** ** The count *)

Section Count.

Variables (slots : list Z) (takes : Z -> Z -> bool) (phi : Z -> Z) (line : Z).
Hypothesis line_nonnegative : 0 <= line.

Let common := common Z Z slots takes.
Let size := size Z Z slots takes.
Let used := used Z Z slots takes.
Let excess := excess Z Z slots takes.
Let points := points Z Z slots takes.

(** What has to be known of the translates by o and each set of these moves. *)
Definition understood (o : Z) (moves : list Z) : Prop :=
  (forall F, is_set_of moves F -> line <= size (o + sum_of F moves)) /\
  (forall F G, is_set_of moves F -> is_set_of moves G -> F <> G ->
     common (o + sum_of F moves) (o + sum_of G moves) <= phi (sum_of G moves - sum_of F moves)).

Lemma understood_further o v moves :
  understood o (v :: moves) -> understood o moves /\ understood (o + v) moves.
Proof.
  unfold understood, is_set_of. intros [H1 H2]. repeat split.
  - intros F E. specialize (H1 (false :: F)). cbn in H1. apply H1. congruence.
  - intros F G E E' N. specialize (H2 (false :: F) (false :: G)). cbn [sum_of length] in H2.
    rewrite !Z.add_0_l in H2. apply H2; congruence.
  - intros F E. specialize (H1 (true :: F)). cbn [sum_of length] in H1.
    rewrite Z.add_assoc in H1. apply H1. congruence.
  - intros F G E E' N. specialize (H2 (true :: F) (true :: G)). cbn [sum_of length] in H2.
    rewrite !Z.add_assoc in H2.
    replace (sum_of G moves - sum_of F moves) with (v + sum_of G moves - (v + sum_of F moves)) by lia.
    apply H2; congruence.
Qed.

(** The document's S_n: [gains] are upper bounds of the overlaps, nearest square first. *)
Fixpoint bounds (gains moves : list Z) : Prop :=
  match gains, moves with
  | [], [] => True
  | g :: gains, v :: moves => overlap phi moves v <= g /\ bounds gains moves
  | _, _ => False
  end.

Fixpoint most_excess (gains : list Z) : Z :=
  match gains with [] => 0 | g :: gains => 2 * most_excess gains + 2 * g end.

Lemma excess_at_most moves : forall gains o,
  bounds gains moves -> understood o moves ->
  excess (map (Z.add o) (sums moves)) <= most_excess gains.
Proof.
  induction moves as [|v moves IH]; intros [|g gains] o Hb Hu; cbn [bounds] in Hb; try easy.
  - cbn [sums map most_excess]. unfold excess, Counting.excess, shared, Counting.points, total. cbn [fold_right].
    rewrite !Z.add_0_r. unfold Counting.common, Counting.size.
    rewrite (total_ext slots _ (fun s => Z.b2z (takes o s))); [lia|].
    intros s _. now rewrite andb_diag.
  - destruct Hb as [Hg Hb]. destruct (understood_further o v moves Hu) as [Hu1 Hu2].
    rewrite sums_moved. unfold excess. rewrite excess_app. fold excess. cbn [most_excess].
    pose proof (IH gains o Hb Hu1). pose proof (IH gains (o + v) Hb Hu2).
    assert (Hs : shared Z Z slots takes (map (Z.add o) (sums moves)) (map (Z.add (o + v)) (sums moves))
                 <= overlap phi moves v); [|lia].
    unfold shared, overlap. rewrite total_map. apply total_le. intros x Hx.
    rewrite total_map. apply total_le. intros x' Hx'.
    apply in_sums in Hx as (F & EF & ->). apply in_sums in Hx' as (G & EG & ->).
    destruct Hu as [_ Hu]. specialize (Hu (false :: F) (true :: G)). cbn [sum_of] in Hu.
    rewrite Z.add_0_l, Z.add_assoc in Hu. apply Hu; unfold is_set_of in *; cbn; congruence.
Qed.

Lemma used_nonnegative l : 0 <= used l.
Proof. unfold used, Counting.used. rewrite total_of_bools. lia. Qed.

(** The slots that n translates take at least, if they share no more than that: as the document has it, with
    n L in place of X, and rounded up; *)
Definition by_squares (n shares : Z) : Z :=
  let x := n * line in (x * x + x + shares - 1) / (x + shares).

Theorem by_squares_is_taken l n shares :
  0 <= n -> n * line <= points l -> excess l <= shares -> by_squares n shares <= used l.
Proof.
  intros Hn Hp He. unfold by_squares. set (x := n * line) in *.
  assert (Hx : 0 <= x) by (unfold x; nia).
  pose proof (L21_by_squares Z Z slots takes l) as H. pose proof (used_nonnegative l) as Hu.
  pose proof (excess_nonnegative Z Z slots takes l) as He0.
  fold points used excess in H, He0. set (p := points l) in *. set (e := excess l) in *. set (u := used l) in *.
  clearbody x p e u. destruct (Z.eq_dec (x + shares) 0) as [E|E].
  - rewrite E. rewrite Zdiv_0_r. assumption.
  - apply Z.lt_succ_r, Z.div_lt_upper_bound; [lia|].
    assert (Hgrows : x * x * (p + e) <= p * p * (x + shares)).
    { assert (Hxp : x * x <= p * p) by nia. assert (0 <= x * p) by nia.
      pose proof (Z.mul_nonneg_nonneg (x * p) (p - x) ltac:(assumption) ltac:(lia)).
      pose proof (Z.mul_le_mono_nonneg (x * x) (p * p) e shares ltac:(nia) Hxp He0 He). lia. }
    assert (x * x <= u * (x + shares)); [|nia].
    destruct (Z.eq_dec (p + e) 0) as [E0|E0]; [nia|].
    apply Z.mul_le_mono_pos_r with (p := p + e); [lia|].
    assert (p * p * (x + shares) <= u * (p + e) * (x + shares)) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

(** and the most that [L21_by_k] says for some k. *)
Definition by_k (n shares k : Z) : Z := (2 * k * (n * line) - shares + k * (k + 1) - 1) / (k * (k + 1)).

Section By_k.

Variable ks : list Z.
Hypothesis ks_positive : forall k, In k ks -> 0 < k.

Definition best (n shares : Z) : Z := fold_right (fun k b => Z.max (by_k n shares k) b) 0 ks.

Lemma best_is_taken l n shares :
  n * line <= points l -> excess l <= shares -> best n shares <= used l.
Proof.
  intros Hp He. unfold best. revert ks_positive. generalize ks as some.
  induction some as [|k some IH]; cbn [fold_right]; intros Hk; [apply used_nonnegative|].
  apply Z.max_lub; [|apply IH; auto with datatypes].
  pose proof (Hk k ltac:(now left)) as Hk0. unfold by_k.
  pose proof (L21_by_k Z Z slots takes k l ltac:(lia)) as H. fold points used excess in H.
  apply Z.lt_succ_r, Z.div_lt_upper_bound; [nia|].
  assert (2 * k * (n * line) <= 2 * k * points l) by nia. lia.
Qed.

End By_k.

(** One of the two. *)
Variable least_slots : Z -> Z -> Z.
Hypothesis least_slots_are_taken : forall l n shares,
  0 <= n -> n * line <= points l -> excess l <= shares -> least_slots n shares <= used l.

Lemma points_at_least o moves :
  understood o moves -> 2 ^ Z.of_nat (length moves) * line <= points (map (Z.add o) (sums moves)).
Proof.
  intros [Hu _]. unfold points, Counting.points. rewrite total_map, <- length_of_sums, Z.mul_comm, <- total_constant.
  apply total_le. intros x Hx. apply in_sums in Hx as (F & E & ->). now apply Hu.
Qed.

(** A class: what one attack on the file takes at least. *)
Fixpoint class_takes (gains : list Z) : Z :=
  match gains with
  | [] => line
  | g :: rest => Z.max (class_takes rest) (least_slots (2 ^ Z.of_nat (length gains)) (most_excess gains))
  end.

Lemma bounds_length gains : forall moves, bounds gains moves -> length gains = length moves.
Proof. induction gains as [|g gains IH]; intros [|v moves] H; try easy. cbn in *. f_equal. apply IH, H. Qed.

Lemma class_takes_so_many moves : forall gains o,
  bounds gains moves -> understood o moves -> class_takes gains <= used (map (Z.add o) (sums moves)).
Proof.
  induction moves as [|v moves IH]; intros [|g gains] o Hb Hu; try (cbn in Hb; easy).
  - cbn [sums map class_takes]. unfold used. rewrite used_one.
    destruct Hu as [Hu _]. apply (Hu []). reflexivity.
  - cbn [class_takes]. apply Z.max_lub.
    + destruct Hb as [_ Hb]. destruct (understood_further o v moves Hu) as [Hu1 _].
      rewrite sums_moved. etransitivity; [apply (IH gains o Hb Hu1)|apply used_more].
    + apply least_slots_are_taken.
      * apply Z.pow_nonneg. lia.
      * rewrite (bounds_length _ _ Hb). now apply points_at_least.
      * now apply excess_at_most.
Qed.

(** All classes together: the empty set's and one for each square. *)
Fixpoint all_take (gains : list Z) : Z :=
  match gains with [] => line | _ :: gains => all_take gains + class_takes gains end.

Theorem L21 moves : forall gains,
  bounds gains moves ->
  line <= size 0 ->
  (forall before v rest, moves = before ++ v :: rest -> understood v rest) ->
  (forall before v rest x x' s, moves = before ++ v :: rest ->
     In x (sums rest) -> In x' (sums rest) -> takes x s = true -> takes (v + x') s = true -> False) ->
  all_take gains <= used (sums moves).
Proof.
  induction moves as [|v moves IH]; intros [|g gains] Hb H0 Hu Hd; try (cbn in Hb; easy).
  - cbn [sums all_take]. unfold used. now rewrite used_one.
  - destruct Hb as [_ Hb]. cbn [sums all_take]. unfold used. rewrite used_apart.
    + fold used. apply Z.add_le_mono.
      * apply IH; auto.
        -- intros before w rest E. apply (Hu (v :: before)). now rewrite E.
        -- intros before w rest x x' s E. apply (Hd (v :: before)). now rewrite E.
      * apply class_takes_so_many; [assumption|]. now apply (Hu []).
    + intros s _ H H'. unfold taken in *. apply existsb_exists in H as (x & Hx & H).
      apply existsb_exists in H' as (y & Hy & H'). apply in_map_iff in Hy as (x' & <- & Hx').
      now apply (Hd [] v moves x x' s).
Qed.

End Count.
