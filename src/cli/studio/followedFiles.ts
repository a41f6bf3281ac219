// Follows the files of a studio. Whenever they change, they are read and evaluated again, one
// reading after the other.
import { accessPicture, comparedPictures } from '../../access/picture/picture.ts';
import type { Schemas } from '../../pipeline/schemas.ts';
import { stampOf } from '../../read/files/stamp.ts';
import type { FolderWatch } from '../../read/files/watchFolders.ts';
import { readableNames } from '../../report/access/readableNames.ts';
import { signsOf } from '../../report/graph/signs.ts';
import type { InSteps } from '../../report/page/inSteps.ts';
import type { Naming } from '../../report/page/naming.ts';
import { partId, partText } from '../../report/studio/changingParts.ts';
import { differenceContent, type FilesDifference } from '../../report/studio/difference.ts';
import { findingsContent } from '../../report/studio/fileFindings.ts';
import { statusContent, troubleContent } from '../../report/studio/status.ts';
import { testsContent } from '../../report/studio/tests.ts';
import { studioViews } from '../../report/studio/views.ts';
import type { AnsweredState } from '../access/questionState.ts';
import { styleFor } from '../colour.ts';
import { errorText } from '../errorText.ts';
import type { ServerFlags, SourceFlags } from '../flags/flags.ts';
import type { Io } from '../io.ts';
import { Stop } from '../stop.ts';
import type { Board, Update } from './board.ts';
import {
  differenceFrom,
  type EvaluatedFiles,
  evaluatedFiles,
  type FilesBase,
  type FoundDifference,
  type ValidFiles,
} from './evaluate.ts';
import type { StudioFiles } from './loading.ts';
import { type Turns, turnsOf } from './oneAtATime.ts';
import { offeredNames } from './question.ts';

/** The inputs for following files. */
interface Following {
  readonly tools: Schemas;
  readonly files: StudioFiles;
  readonly flags: Pick<SourceFlags, 'strict'> & Pick<ServerFlags, 'dialect'>;
  readonly board: Board;
  /** Watches folders, and calls `onHint` at each change. */
  readonly watch: (onHint: () => void) => FolderWatch;
  /** Called after each reading. */
  readonly onRead: () => void;
  readonly io: Io;
}

/** How long to wait after a change, in milliseconds, because an editor writes a file in several steps. */
const SETTLE = 25;

/**
 * How long the files must stay unedited before the views are drawn, in milliseconds. Drawing takes
 * longer than a reading.
 */
const QUIET = 600;

/**
 * How often to check for an edit while waiting, in milliseconds. The next edit waits no longer than
 * this.
 */
const LOOK_EACH = 20;

/**
 * How often files are checked without a hint, in milliseconds, because not all file systems give
 * hints.
 */
const LOOK_EVERY = 2000;

const START: Omit<FilesBase, 'desired'> = { is: 'the files as they were when the studio started' };

/** The parts of the page that are shown last. */
interface Later {
  readonly steps: InSteps<Update>;
  /** How long the files must stay unedited before the work begins, in milliseconds. */
  readonly quiet: number;
}

/** The files, followed until `close`. */
export class FollowedFiles {
  readonly #following: Following;
  readonly #turns: Turns;
  readonly #watch: FolderWatch;
  readonly #release: (() => void) | undefined;
  #stamp: string | undefined;
  #revision: string | undefined;
  #base: FilesBase | undefined;
  #valid: ValidFiles | undefined;
  #validAt: number | undefined;
  #readings = 0;
  #later: readonly Later[] = [];

  constructor(following: Following) {
    const { watch, io } = following;
    this.#following = following;
    this.#turns = turnsOf(() => this.#turn());
    this.#watch = watch(this.#turns.ask);
    this.#release = io.every?.(LOOK_EVERY, this.#turns.ask);
  }

  /** Reads the files for the first time. */
  async begin(): Promise<void> {
    this.#turns.ask();
    await this.#turns.settled();
  }

  /** The last state without errors. */
  get judged(): AnsweredState | undefined {
    return this.#valid?.judged;
  }

  /** The number of times the files were read. It stays equal as long as the files do not change. */
  get readings(): number {
    return this.#readings;
  }

  /** Stops after the current turn. */
  async close(): Promise<void> {
    this.#release?.();
    this.#watch.close();
    await this.#turns.settled();
  }

  async #turn(): Promise<void> {
    const { io, board } = this.#following;
    await io.sleep(SETTLE);
    try {
      if (this.#isChanged()) await this.#read();
      await this.#showLater();
    } catch (error) {
      io.stderr.write(errorText(error, io, styleFor(io.stderr, io)));
      const message = error instanceof Stop ? error.message : 'an unexpected error occurred';
      board.show({ parts: { [partId('status')]: partText(troubleContent(message)) } });
    }
  }

  // Folders are watched before they are read, so that no change in a new folder is missed.
  #isChanged(): boolean {
    const { files } = this.#following;
    this.#watch.follow(stampOf(files.files()).folders);
    const stamp = stampOf(files.files()).text;
    const revision = stampOf(files.revision()).text;
    const isSame = stamp === this.#stamp && revision === this.#revision;
    if (revision !== this.#revision) this.#base = undefined;
    this.#stamp = stamp;
    this.#revision = revision;
    return !isSame;
  }

  async #read(): Promise<void> {
    const { tools, files, flags, board, onRead, io } = this.#following;
    const readAt = io.now();
    const seen = evaluatedFiles(await files.load(), flags, tools.kinds);
    this.#readings += 1;
    const found = seen.valid && (await this.#differenceOf(seen.valid, readAt));
    const difference = found?.difference;
    const parts = {
      ...(seen.valid && { [partId('tests')]: partText(testsContent(seen.valid.tests)) }),
      ...(difference && differencePart(difference.preliminary)),
    };
    board.show({
      parts: {
        [partId('status')]: partText(statusContent(this.#status(seen, readAt))),
        [partId('findings')]: partText(findingsContent(seen.findings)),
        ...parts,
      },
      ...(seen.valid && { names: offeredNames(seen.valid.judged) }),
    });
    onRead();
    // A user who opens the page waits for its whole content, so the first reading does not wait for quiet.
    const quiet = this.#readings > 1 ? QUIET : 0;
    this.#later = [
      ...(difference?.exact ? [{ steps: toldApart(difference.exact), quiet: 0 }] : []),
      ...(found ? [{ steps: found.views(), quiet }] : []),
    ];
  }

  // Shows the parts that take longer, after the other parts. A change in the meantime waits for at
  // most one step of this work and is then shown first.
  async #showLater(): Promise<void> {
    const { board } = this.#following;
    for (;;) {
      const [next, ...others] = this.#later;
      if (next === undefined || !(await this.#isQuiet(next.quiet))) return;
      this.#later = others;
      const step = next.steps.next();
      if (step.done) board.show(step.value);
      else this.#later = [{ steps: next.steps, quiet: 0 }, ...others];
    }
  }

  /** Resolves to whether no turn is requested within this time. */
  async #isQuiet(time: number): Promise<boolean> {
    const { io } = this.#following;
    await io.sleep(0);
    for (let waited = 0; waited < time && !this.#turns.isAsked(); waited += LOOK_EACH)
      await io.sleep(LOOK_EACH);
    return !this.#turns.isAsked();
  }

  async #differenceOf(valid: ValidFiles, readAt: number) {
    const { tools, files } = this.#following;
    this.#base ??= (await files.base()) ?? { ...START, desired: valid.desired };
    this.#valid = valid;
    this.#validAt = readAt;
    const difference = differenceFrom(this.#base, valid, tools.kinds);
    const isOther = difference.preliminary.changes.length > 0;
    const compared = isOther ? difference.states : undefined;
    return {
      difference,
      views: viewsOf(valid, compared, {
        readable: readableNames(tools.kinds),
        signs: signsOf(tools.kinds),
      }),
    };
  }

  #status({ findings, declared, valid }: EvaluatedFiles, readAt: number) {
    const failed = valid?.tests?.filter(({ failures }) => failures.length > 0) ?? [];
    return {
      readAt,
      findings,
      declared,
      failedTests: failed.length,
      isValid: valid !== undefined,
      shownAt: this.#validAt,
    };
  }
}

const differencePart = (difference: FilesDifference): Readonly<Record<string, string>> => ({
  [partId('difference')]: partText(differenceContent(difference)),
});

function* toldApart(exact: () => FilesDifference): InSteps<Update> {
  yield;
  return { parts: differencePart(exact()) };
}

const viewsOf = (
  { judged, folders }: ValidFiles,
  compared: FoundDifference['states'] | undefined,
  naming: Naming,
) =>
  function* (): InSteps<Update> {
    if (compared === undefined) {
      const picture = accessPicture(judged.state);
      return { views: yield* studioViews({ picture, folders }, naming) };
    }
    const { after, ...pictures } = comparedPictures(...compared);
    yield;
    const content = { picture: after, compared: pictures, folders };
    return { views: yield* studioViews(content, naming) };
  };
