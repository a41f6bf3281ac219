// A request to load desired state: its path, its base and other inputs, and the purpose of the run.

import type { Allowance } from '../../model/allowance.ts';
import type { Withheld } from '../../model/secrets/withheld.ts';
import type { ProgramHost } from '../../read/environment.ts';
import type { FileText } from '../../read/files/fileText.ts';
import type { KnownFormerBase } from '../../read/git/loadBases.ts';
import type { Project } from '../../source/project/project.ts';
import type { ReadText } from '../../source/values/readHidden.ts';
import type { CachedParser } from '../../source/yaml/cachedParser.ts';

/** The path of desired state, and its external inputs. */
export interface LoadRequest {
  /** A folder or a single file. If there are several layers, the last layer. */
  readonly path: string;
  /** The earlier layers, in their order. By default, the layers that the project file lists. */
  readonly layers?: readonly string[];
  /**
   * Future texts of files. They replace the present texts. A file that does not exist yet is added.
   */
  readonly instead?: readonly FileText[];
  /** The base: a folder, or a git revision of the folder at `path`. */
  readonly base?: string;
  /**
   * Whether a run without `base` is compared with the recorded base, if there is a recorded base.
   */
  readonly isBaseIfRecorded?: boolean;
  /** Whether the run is recorded as the base of the next run. */
  readonly recordBase?: boolean;
  /** Whether the plan can be saved. If it can, it contains what it records. */
  readonly isSaved?: boolean;
  /** Whether the user said that this is the first run of the folder. */
  readonly isFirst?: boolean;
  /**
   * Finds the former base of the folder. If there was one, the folder has no base now only because
   * somebody removed the base.
   */
  readonly formerBase?: KnownFormerBase;
  /**
   * Whether the run deletes objects that the files do not declare, or only those of them that have
   * ended.
   */
  readonly isPruned?: boolean;
  /**
   * Whether the user said that the files are empty on purpose, so that everything that the base
   * declared is deleted.
   */
  readonly mayBeEmpty?: boolean;
  readonly strict: boolean;
  /**
   * Whether the files are only compared with the account. If they are, faults in other folders do
   * not stop the run.
   */
  readonly isOnlyCompared?: boolean;
  /** Whether the run only removes what has ended. */
  readonly isOnlyEnded?: boolean;
  /**
   * Whether a plan follows. The plan determines the undeclared objects of the account, so
   * references to them are not errors yet.
   */
  readonly isPlanned?: boolean;
  readonly env: (name: string) => string | undefined;
  /** Returns why these files get no value for a variable; see `SecretInputs`. */
  readonly withheld?: (name: string) => Withheld | undefined;
  /** Whether all declarations of the files are also rendered as one text. */
  readonly isRendered?: boolean;
  /** Parses the files. Used by a program that reads files repeatedly. */
  readonly parse?: CachedParser['parse'];
  /** Whether the values of secrets are not looked up. If so, each secret counts as missing. */
  readonly areSecretsClosed?: boolean;
  /** The environment for git, if the base is in git. */
  readonly host: ProgramHost;
  /**
   * Returns the account of the server, for files that do not name an account. Called only if the
   * repository may contain other folders of the account.
   */
  readonly accountBehind?: (project: Project) => Promise<string | undefined>;
  /** Called after the files are read and before any base is read. */
  readonly beforeBases?: () => Promise<unknown>;
  /** The values of `${var:NAME}`, the only external input of ordinary fields; see `variablesFrom`. */
  readonly vars?: ReadonlyMap<string, string>;
  /** The variables that were set for this run. A warning lists those that no file uses. */
  readonly given?: readonly string[];
  /** Hazards that flags accept. Accepting `LOOSENS_GUARDS` removes the limits that the files loosen. */
  readonly allow?: readonly Allowance[];
  /** Receives every secret that is looked up. */
  readonly onSecret?: (value: string) => void;
  /**
   * The time at which the files are read, in milliseconds. Objects that have ended by then are no
   * longer desired. If absent, nothing counts as ended until the files are planned.
   */
  readonly now?: number;
  /**
   * Reads the secrets that identify objects. If absent, these secrets are not read, and objects
   * that need them cannot be planned.
   */
  readonly readSecret?: (text: string, layers: readonly string[]) => ReturnType<ReadText>;
  /** Receives the total length of all files before they are parsed. */
  readonly onLength?: (characters: number) => void;
  /** The folder that contains the base, if the base is a folder. */
  readonly cwd: string;
  /** Converts a path to the form in which messages show it. */
  readonly shownAs: (path: string) => string;
}
