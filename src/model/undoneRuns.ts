// Which runs are undone, where an undo may have been undone too.

/** A run that undid another run completely. */
export interface CompleteUndo {
  readonly run: string;
  /** The run that it undid. */
  readonly undoes: string;
}

/** The undos that hold: nobody has undone them by an undo that holds. */
export function standingUndos<T extends CompleteUndo>(undos: readonly T[]): readonly T[] {
  const byUndone = Map.groupBy(undos, ({ undoes }) => undoes);
  const holds = ({ run }: CompleteUndo, later: ReadonlySet<string>): boolean =>
    (byUndone.get(run) ?? []).every(
      undo => later.has(undo.run) || !holds(undo, new Set([...later, undo.run])),
    );
  return undos.filter(undo => holds(undo, new Set([undo.run])));
}
