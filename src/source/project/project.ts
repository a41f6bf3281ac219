// Reads the project file, meshform.yaml: its settings or all its faults.
import type { KindTable } from '../../kinds/kind.ts';
import { shippedSchemaCheck } from '../../kinds/shippedChecks.ts';
import type { DialectChoice } from '../../kinds/traits.ts';
import {
  type AccessThresholds,
  type GuardedAccess,
  HAZARDS_OF_TARGETS,
} from '../../model/access/accessGates.ts';
import { allowance } from '../../model/allowance.ts';
import { sortedAndDistinct } from '../../model/byPosition.ts';
import type { Acknowledgement } from '../../model/change.ts';
import { HAZARD_CODES } from '../../model/codes.ts';
import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import type { GrantLimits } from '../../model/grantLimits.ts';
import type { Thresholds } from '../../model/guards.ts';
import { timeIn } from '../../model/text/calendar.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { pointer } from '../../model/text/pointer.ts';
import { quoted } from '../../model/text/visible.ts';
import { isObject, type Json, type JsonObject, type Path } from '../../model/value.ts';
import { schemaFindings } from '../findings/findings.ts';
import { named, quotedBriefly } from '../sentenceWords.ts';
import { parseDocuments, type SourceText } from '../yaml/document.ts';
import type { SourceNode } from '../yaml/node.ts';
import { guardPlaces } from './guardPlaces.ts';
import { namesOfNoKind, withNames } from './objectNames.ts';
import { FORMER_INPUTS, formerInputs, outsideFindings } from './projectInputs.ts';

/** The place of the lock of an apply: in the Git remote, in a file on this machine, or chosen by the run. */
export type LockChoice = 'auto' | 'git' | 'file';

/** The server that a project file names. */
export interface ProjectServer {
  readonly url?: string;
  /** The position of `url`. */
  readonly urlAt?: Span;
}

/** A layer as the project file names it. */
export interface WrittenLayer {
  /** The path of the layer, relative to the folder of the project file. */
  readonly path: string;
  readonly at: Span;
}

/** The content of a project file; see `schemas/project.schema.json`. */
export interface Project extends ProjectServer {
  /** Other addresses that must be equal to the address of the run: those of the project files in parent folders. */
  readonly others?: readonly ProjectServer[];
  readonly account?: string;
  /** The position of `account`. */
  readonly accountAt?: Span;
  /** The name under which the base of the folder is stored, in place of the folder's path. */
  readonly name?: string;
  /**
   * Other folders or files that are read together with this one, in their order, each with its position in the file. The last one
   * is `.`.
   */
  readonly layers?: readonly WrittenLayer[];
  /** Where the lock of an apply is. */
  readonly lock?: LockChoice;
  /** The number of seconds after which another run may take over a lock in the remote. */
  readonly lock_ttl?: number;
  /** The name in Git of the remote that contains the lock. */
  readonly lock_remote?: string;
  readonly dialect?: DialectChoice;
  /** Requests per minute. */
  readonly rate?: number;
  readonly exclude?: readonly string[];
  readonly allow?: readonly string[];
  readonly protect?: readonly string[];
  /** Acknowledged drift, each entry with its place in the file. */
  readonly acknowledge?: readonly (Acknowledgement & { readonly at?: Span })[];
  readonly thresholds?: Thresholds;
  readonly access_thresholds?: AccessThresholds;
  /** The guards of access, each with its position in the file. */
  readonly guarded?: readonly GuardedAccess[];
  /** The limits of grants in each project file that has any. Grants must be within all of them. */
  readonly grants?: readonly GrantLimits[];
}

/** A project as it is written. */
type Written = Omit<Project, 'grants' | 'guarded' | 'layers'> & {
  readonly layers?: readonly string[];
  readonly grants?: GrantLimits;
  readonly guarded?: readonly (string | Required<Pick<GuardedAccess, 'from' | 'to'>>)[];
};

/** The name of the project file. */
export const PROJECT_FILE = 'meshform.yaml';

/** A project file as it was read. */
export interface ReadProject {
  readonly project: Project;
  /** The positions of its guards. */
  readonly places: ReadonlyMap<string, Span>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a project file. An empty file has no settings; a file with a fault has no usable settings. */
export function readProject(
  source: SourceText,
  schema: JsonObject,
  kinds: KindTable = new Map(),
): ReadProject {
  const { documents, diagnostics } = parseDocuments(source);
  const [document, second] = documents.filter(({ value }) => value !== null);
  if (!document) return withoutSettings(diagnostics);
  const check = shippedSchemaCheck(schema);
  const found = check(document.value) ? [] : (check.errors ?? []);
  const errors = found.filter(
    ({ instancePath, params }) =>
      instancePath !== '' || params.additionalProperty !== FORMER_INPUTS,
  );
  const outside = outsideFindings(document);
  // The form of a text that contains a reference is not checked.
  const isBroken = (path: Path): boolean => outside.has(pointer(path)) || document.isBroken(path);
  const findings = [
    ...diagnostics,
    ...formerInputs(document),
    ...outside.values(),
    ...schemaFindings(errors, { ...document, isBroken }),
    ...(second ? [tooMany(second)] : []),
    ...(errors.length === 0 ? [...unknownNames(document, kinds), ...noTimes(document)] : []),
  ];
  if (findings.length > 0) return withoutSettings(sortedAndDistinct(findings));
  const project = withNames(node(document), kinds);
  return {
    project,
    places: guardPlaces(document, project),
    diagnostics: allowedByFlagOnly(document),
  };
}

// Warnings for entries of `allow` that have no effect in a file, so that nobody relies on them.
function allowedByFlagOnly(document: SourceNode): Diagnostic[] {
  const { allow = [] } = document.value as Project;
  return allow.flatMap((text, i): Diagnostic[] => {
    const found = allowance(text);
    if (found === null || !HAZARDS_OF_TARGETS.includes(found.code)) return [];
    const { code, object = 'TARGET' } = found;
    return [
      {
        code: 'ALLOWS_NOTHING',
        severity: 'warning',
        message: `${named(['allow', String(i)])} is ${quoted(text)}, but has no effect: only a flag can allow ${code}`,
        at: document.at(['allow', String(i)]),
        hint: `apply with \`--allow ${code}=${object}\`, and remove the entry`,
      },
    ];
  });
}

/**
 * The keys of a project file that concern guards. `allow` loosens them; `exclude` and `layers` decide which files contain access
 * tests.
 */
const OF_GUARDS: ReadonlySet<string> = new Set([
  'protect',
  'guarded',
  'thresholds',
  'access_thresholds',
  'grants',
  'allow',
  'exclude',
  'layers',
]);

/**
 * Reads the guards of a project file of a base and ignores everything else: an earlier or later version of meshform may have
 * different settings, kinds and hazards.
 */
export function readGuards(source: SourceText, schema: JsonObject, kinds: KindTable): ReadProject {
  const { documents, diagnostics } = parseDocuments(source);
  const [document, second] = documents.filter(({ value }) => value !== null);
  const faults = second ? [...diagnostics, tooMany(second)] : diagnostics;
  if (!document || faults.length > 0) return withoutSettings(faults);
  const reduced = { ...document, value: guardsIn(document.value) };
  const check = shippedSchemaCheck(schema);
  if (!check(reduced.value))
    return withoutSettings(sortedAndDistinct(schemaFindings(check.errors ?? [], reduced)));
  const project = withNames(node(reduced), kinds);
  return { project, places: guardPlaces(document, project), diagnostics: [] };
}

const guardsIn = (value: Json): Json =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => OF_GUARDS.has(name)))
    : value;

const withoutSettings = (diagnostics: readonly Diagnostic[]): ReadProject => ({
  project: {},
  places: new Map(),
  diagnostics,
});

function node(document: SourceNode): Project {
  const { acknowledge, grants, guarded, layers, ...project } = document.value as Written;
  const urlAt = project.url === undefined ? undefined : document.at(['url']);
  const accountAt = project.account === undefined ? undefined : document.at(['account']);
  const entries = acknowledge?.map((entry, i) => ({
    ...entry,
    at: document.at(['acknowledge', String(i)]),
  }));
  const guards = guarded?.map(
    (entry, i): GuardedAccess => ({
      ...(typeof entry === 'string' ? { to: entry } : entry),
      at: document.at(['guarded', String(i)]),
    }),
  );
  const others = layers?.map((path, i) => ({ path, at: document.at(['layers', String(i)]) }));
  return {
    ...project,
    ...(others && { layers: others }),
    ...(urlAt && { urlAt }),
    ...(accountAt && { accountAt }),
    ...(entries && { acknowledge: entries }),
    ...(guards && { guarded: guards }),
    ...(grants && { grants: [{ ...grants, at: document.at(['grants']) }] }),
  };
}

// Errors for values of `until` that are not valid times. The schema checks only their form.
function noTimes(document: SourceNode): Diagnostic[] {
  const { acknowledge = [] } = document.value as Project;
  return acknowledge.flatMap(({ until }, i) =>
    Number.isNaN(timeIn(until))
      ? [
          fault(
            '`until` is not a date that exists',
            document.at(['acknowledge', String(i), 'until']),
            'such as 2026-12-31, or 2026-12-31T12:00:00Z',
          ),
        ]
      : [],
  );
}

const fault = (message: string, at: Span, hint: string): Diagnostic => ({
  code: 'PROJECT_INVALID',
  severity: 'error',
  message,
  at,
  hint,
});

function tooMany(second: SourceNode): Diagnostic {
  const message = 'a project file must have one document, but this line begins another';
  return fault(message, second.at([]), 'remove the line `---`');
}

// An unknown hazard, kind or place would be a guard on which people rely although it has no effect.
function unknownNames(document: SourceNode, kinds: KindTable): Diagnostic[] {
  const project = document.value as Project;
  const { allow = [], thresholds = {} } = project;
  const places = ['default', ...[...kinds.values()].map(({ at }) => at.replaceAll('[]', ''))];
  const hazards = allow.flatMap((text, i) =>
    unknownName(text.split('=')[0] ?? '', Object.keys(HAZARD_CODES), {
      fault: `${named(['allow', String(i)])} is not a hazard`,
      are: 'hazards',
      at: document.at(['allow', String(i)]),
    }),
  );
  if (kinds.size === 0) return hazards;
  const noKinds = namesOfNoKind(project, kinds).flatMap(({ path, word, what }) =>
    unknownName(word, [...kinds.keys()], {
      fault: `${what} does not begin with the name of a kind`,
      are: 'kinds',
      at: document.at(path),
    }),
  );
  const thresholdPlaces = Object.keys(thresholds).flatMap(place =>
    unknownName(place, places, {
      fault: `${quotedBriefly(place)} is not the section of a kind`,
      are: 'places',
      at: document.keyAt(['thresholds', place]),
    }),
  );
  return [...hazards, ...noKinds, ...thresholdPlaces];
}

function unknownName(
  name: string,
  known: readonly string[],
  { fault: message, are, at }: { readonly fault: string; readonly are: string; readonly at: Span },
): Diagnostic[] {
  if (known.includes(name)) return [];
  const hint = didYouMean(name, known) ?? `${are} are: ${known.join(', ')}`;
  return [fault(message, at, hint)];
}
