// A request to read the other folders of an account.
import type { KindTable } from '../../kinds/kind.ts';
import type { SourceReader } from '../../source/load.ts';
import type { Inputs } from '../../source/values/externalInputs.ts';
import type { ProgramHost } from '../environment.ts';

/** The folder of a run, and what is needed to read the other folders. */
export interface OthersRequest {
  readonly host: ProgramHost;
  readonly path: string;
  /** The paths of the other layers of the run. */
  readonly layers: readonly string[];
  readonly account: string;
  /** The name of the run's base, if a project file or a fleet sets one. */
  readonly name: string | undefined;
  readonly shownAs: (path: string) => string;
  readonly kinds: KindTable;
  readonly reader: SourceReader;
  /** Whether the run reads the files in a folder. */
  readonly isOwn: (folder: string) => boolean;
  readonly inputs: (folder: string) => Inputs;
  /** Whether the declarations of the checked-out commit count too, as they do for each run that may delete something. */
  readonly isAtCommit: boolean;
}
