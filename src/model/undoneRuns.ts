// Finds the runs that are undone. An undo may itself have been undone.

/** A run that undid another run completely. */
export interface CompleteUndo {
  readonly run: string;
  /** The run that it undid. */
  readonly undoes: string;
}

/** The undos that are still in effect: no other undo that is still in effect has undone them. */
export function standingUndos<T extends CompleteUndo>(undos: readonly T[]): readonly T[] {
  const byUndone = Map.groupBy(undos, ({ undoes }) => undoes);
  const holds = ({ run }: CompleteUndo, later: ReadonlySet<string>): boolean =>
    (byUndone.get(run) ?? []).every(
      undo => later.has(undo.run) || !holds(undo, new Set([...later, undo.run])),
    );
  return undos.filter(undo => holds(undo, new Set([undo.run])));
}
