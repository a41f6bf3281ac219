// The last applied state: the base given for a run, and the recorded base.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Desired } from '../../model/object.ts';
import type { Recorded } from '../../model/plan.ts';
import type { SourceReader } from '../../source/load.ts';
import type { Inputs } from '../../source/values/inputs.ts';
import { folderOf } from '../project.ts';
import {
  type BaseRequest,
  type BaseTexts,
  baseTexts,
  RECORDED,
  recordedBefore,
} from './baseFiles.ts';
import { notBehind } from './history.ts';

/** The base of a run, and its faults. */
export interface Bases {
  readonly base: readonly Desired[];
  /** Absent if there is no base, and none will be recorded. */
  readonly recorded?: Recorded;
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads the given base, and the recorded base if this run will be recorded. */
export async function loadBases(
  base: string | undefined,
  request: BaseRequest,
  { reader, inputs }: { readonly reader: SourceReader; readonly inputs: Inputs },
): Promise<Bases> {
  const load = (texts: BaseTexts, name: string) => loaded(texts, name, { reader, inputs });
  const given =
    base === undefined ? null : await baseTexts(request, base).then(texts => load(texts, 'base'));
  const texts = request.isRecording && base !== RECORDED ? await recordedBefore(request) : null;
  const isSame = given?.commit !== undefined && texts?.commit === given.commit;
  const before = texts === null || isSame ? null : load(texts, 'recorded base');
  if (given === null && !request.isRecording) return { base: [], diagnostics: [] };
  const undoing = await undoingSince(request);
  return {
    base: given?.desired ?? [],
    recorded: {
      objects: before?.desired ?? [],
      commits: [given?.commit, before?.commit].filter(commit => commit !== undefined),
    },
    diagnostics: [
      ...(given?.diagnostics ?? []),
      ...(before?.diagnostics ?? []).map(fault => (given ? passedOver(fault) : fault)),
      ...(undoing === null ? [] : [undoing]),
    ],
  };
}

// Only the next recorded base is bound to the history; a run that records nothing may look at any revision.
async function undoingSince(request: BaseRequest): Promise<Diagnostic | null> {
  const { path, host, account, isRecording } = request;
  return isRecording && account !== undefined
    ? notBehind({ folder: folderOf(path), host }, account)
    : null;
}

interface LoadedBase {
  readonly desired: readonly Desired[];
  readonly commit: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function loaded(
  { files, commit, diagnostics }: BaseTexts,
  name: string,
  { reader, inputs }: { readonly reader: SourceReader; readonly inputs: Inputs },
): LoadedBase {
  const read = files.length > 0 ? reader.read(files, inputs) : { desired: [], diagnostics: [] };
  const faults = [...diagnostics, ...read.diagnostics].filter(
    ({ severity }) => severity === 'error',
  );
  const notes = diagnostics.filter(({ severity }) => severity === 'note');
  return {
    ...{ desired: faults.length > 0 ? [] : read.desired, commit },
    diagnostics: [
      ...notes,
      ...faults.map((fault): Diagnostic => {
        const message = `the ${name}: ${fault.message}`;
        return { ...fault, code: 'BASE_INVALID', message };
      }),
    ],
  };
}

// If the folder was renamed since, or the files are of an earlier version, only the given base is used.
function passedOver(fault: Diagnostic): Diagnostic {
  return { ...fault, severity: 'warning', hint: 'only the base named with --base is used' };
}
