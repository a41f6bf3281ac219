// Grants: finds the files of grants, and checks that their declarations satisfy the limits.

import { basename, dirname, resolve } from 'node:path';
import { joinedGuards } from '../../base/guards/joined.ts';
import { formerGrantLimits } from '../../base/guards/loosenedGrants.ts';
import type { KindTable } from '../../kinds/kind.ts';
import type { Allowance } from '../../model/allowance.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { endTime } from '../../model/ending.ts';
import { isInGrants, isLikeGrants } from '../../model/grantLimits.ts';
import type { Guards } from '../../model/guards.ts';
import { addressOf } from '../../model/key.ts';
import type { Desired } from '../../model/object.ts';
import { type OtherFolder, unreadableHint } from '../../model/otherFolder.ts';
import { quoted } from '../../model/text/visible.ts';
import type { FileTexts } from '../../read/files/folder.ts';
import { folderOf } from '../../read/files/projectFilesAbove.ts';
import { repositoryOf } from '../../read/git/repository.ts';
import type { LoadRequest } from './loadRequest.ts';

/**
 * Returns whether a file is a file of grants. This depends on the display name of the file or, for
 * a link, on the target of the link.
 */
export function grantFiles(
  { path, shownAs }: Pick<LoadRequest, 'path' | 'shownAs'>,
  { files }: FileTexts,
): (file: string) => boolean {
  const folder = shownAs(folderOf(path));
  // Whether a folder contains grants depends on its path in the repository. The working directory
  // and the path of the clone do not matter.
  const home = repositoryOf(path)?.prefix ?? `${basename(resolve(folderOf(path)))}/${folder}/`;
  // If the folder itself contains grants, the files of its other layers are outside it.
  const elsewhere = new Set(
    files.flatMap(({ file, layer }) => (layer?.fromLastLayer ? [file] : [])),
  );
  const isAll = isInGrants(`${home}x`);
  const inside = (file: string) =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
  const linked = new Map(files.map(({ file, leadsTo = file }) => [file, leadsTo]));
  return file =>
    (isAll && !elsewhere.has(file)) ||
    isInGrants(inside(file)) ||
    isInGrants(inside(linked.get(file) ?? file));
}

/**
 * The errors for folders whose names only look like the name of a grants folder, one for each
 * folder. Their files would not be reviewed as grants.
 */
export function likeGrants({ files }: FileTexts): readonly Diagnostic[] {
  const alike = files.filter(
    ({ file, leadsTo = file }) => isLikeGrants(file) || isLikeGrants(leadsTo),
  );
  const firsts = Map.groupBy(alike, ({ file }) => dirname(file))
    .values()
    .map(([first]) => first);
  return [...firsts].flatMap((first): readonly Diagnostic[] =>
    first === undefined
      ? []
      : [
          {
            code: 'GRANT_REFUSED',
            severity: 'error',
            message: `the folder of ${quoted(first.file)} has a name that looks like \`grants\`, with invisible characters`,
            at: { file: first.file, line: 1, column: 1 },
            hint: 'rename the folder: some file systems treat both names as the same folder',
          },
        ],
  );
}

/** The objects. Objects from files of grants are marked. */
export const asGrants = (
  desired: readonly Desired[],
  isGrantFile: (file: string) => boolean,
): readonly Desired[] =>
  desired.map(object => (isGrantFile(object.at.file) ? { ...object, isGrant: true } : object));

/**
 * The guards with the limits of the last apply, from the bases of the run. If the run has no base,
 * the limits come from the bases of folders that no longer have files, because one of these may
 * have been this folder under another name. Undefined if there are no limits.
 */
export const limitsLastApplied = (
  applied: Guards | undefined,
  others: readonly OtherFolder[],
): Guards | undefined =>
  applied ?? joinedGuards(others.flatMap(({ isGone, guards = [] }) => (isGone ? guards : [])));

/**
 * Errors for the grants of a run whose limits are unknown: the run has no base, and a base of the
 * account that cannot be read may belong to this folder under another name.
 */
export function grantsWithUnknownLimits(
  { desired, isGrantFile, applied, now }: Omit<GrantsOfRun, 'declared' | 'allow'>,
  others: readonly OtherFolder[],
  folder: string,
): readonly Diagnostic[] {
  const unread = others.find(({ unreadableBase }) => unreadableBase !== undefined);
  if (applied !== undefined || unread === undefined) return [];
  const isOver = ({ lifecycle: { until } }: Desired) =>
    (endTime(until) ?? Number.POSITIVE_INFINITY) <= now;
  const first = desired.find(one => isGrantFile(one.at.file) && !isOver(one));
  if (first === undefined) return [];
  return [
    {
      code: 'GRANT_REFUSED',
      severity: 'error',
      message: `${addressOf(first.kind, first.key)} is under \`grants/\`, and the limits that were last applied are unknown: this folder has no base, and that of ${quoted(unread.name)} cannot be read`,
      at: first.at,
      hint: unreadableHint(unread, folder),
    },
  ];
}

/** The grants of a run, and the limits for them. */
interface GrantsOfRun {
  readonly desired: readonly Desired[];
  readonly isGrantFile: (file: string) => boolean;
  /** The guards of the files. */
  readonly declared: Guards;
  /** The guards of the last apply, in this folder or in a folder that may have been this folder. */
  readonly applied: Guards | undefined;
  /** Hazards that are accepted by flags. */
  readonly allow: readonly Allowance[];
  /** The time at which the files are read, in milliseconds. */
  readonly now: number;
  /** Whether the run only removes what has ended. */
  readonly isOnlyEnded?: boolean | undefined;
}

/**
 * The findings for the grants of a run, by the limits of its files, of its bases, and of folders
 * that may have been its folder.
 */
export async function refusedGrants(
  grants: GrantsOfRun,
  others: readonly OtherFolder[],
  { kinds, request }: { readonly kinds: KindTable; readonly request: LoadRequest },
): Promise<readonly Diagnostic[]> {
  const applied = limitsLastApplied(grants.applied, others);
  const { isOnlyEnded } = request;
  const found = await grantsBeyondLimits({ ...grants, applied, isOnlyEnded }, kinds);
  // Neither a report nor the removal of what has ended gives access.
  if (request.isOnlyCompared || isOnlyEnded) return found;
  return [...found, ...grantsWithUnknownLimits(grants, others, folderOf(request.path))];
}

/**
 * Errors for the grants that exceed the limits. If there are no grants, the code for access is not
 * loaded.
 */
export async function grantsBeyondLimits(
  { desired, isGrantFile, declared, applied, allow, now, isOnlyEnded = false }: GrantsOfRun,
  kinds: KindTable,
): Promise<readonly Diagnostic[]> {
  const isGrant = ({ at: { file } }: Desired) => isGrantFile(file);
  const objects = desired.filter(isGrant);
  const { grants: limits } = declared;
  if (objects.length === 0 && limits.length === 0) return [];
  const { grantFindings } = await import('../../access/gates/grantLimits.ts');
  const others = desired.filter(object => !isGrant(object));
  const former = applied ? formerGrantLimits({ declared, applied }, allow) : [];
  return grantFindings({ objects, others, kinds, limits, former, now, isOnlyEnded });
}
