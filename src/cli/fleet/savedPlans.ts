// The folder with the saved plans of a fleet.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type SavedFleet, savedFleetDocument, savedFleetOf } from '../../fleet/savedFleet.ts';
import { jsonOf, jsonText } from '../../model/text/jsonText.ts';
import { quoted } from '../../model/text/visible.ts';
import { isObject } from '../../model/value.ts';
import { reasonOf } from '../../read/files/fileText.ts';
import { makeFolder } from '../../read/files/makeFolder.ts';
import { writeWhole } from '../../read/files/writeFile.ts';
import { errorOf, folderTargetAt, usable } from '../../read/files/writeTarget.ts';
import { planDigests } from '../../report/plan/planDigest.ts';
import type { SavedPlan } from '../../report/plan/savedPlan.ts';
import { EXIT } from '../exitCodes.ts';
import type { Io } from '../io.ts';
import { refusedPlace } from '../refusedPlace.ts';
import { Stop } from '../stop.ts';

const INDEX = 'fleet.json';

/** The path of the file that lists the plans in a folder of plans. */
export const planIndexIn = (folder: string): string => join(folder, INDEX);

/** The path of the plan of an account in a folder of plans. */
export const planFileIn = (folder: string, account: string): string =>
  join(folder, `${account}.plan.json`);

/**
 * Throws a `Stop` if a folder for plans may not be written, or contains other files. With `force`, plans of a fleet may be
 * replaced.
 */
export async function refuseFolder(folder: string, force: boolean, { cwd }: Io): Promise<void> {
  const path = resolve(cwd, folder);
  const hint = 'name an empty folder';
  const found = folderTargetAt(path);
  if (found.is === 'unusable') {
    const message = `the plans cannot be written to ${quoted(folder)}: ${found.why}`;
    throw refusedPlace(message, errorOf(found)) ?? new Stop(EXIT.usage, message, hint);
  }
  if (found.is === 'new') return;
  const files = await readdir(path);
  const others = files.filter(file => file !== INDEX && !file.endsWith('.plan.json'));
  if (others.length > 0)
    throw new Stop(
      EXIT.usage,
      `${quoted(folder)} contains a file that is not a plan: ${quoted(others[0] ?? '')}`,
      hint,
    );
  if (files.length > 0 && !force)
    throw new Stop(
      EXIT.usage,
      `${quoted(folder)} already has plans`,
      'add --force to replace them, or name another folder',
    );
}

/** Writes the plans; resolves to their digest. The file that lists the plans is written last. */
export async function writePlans(
  folder: string,
  saved: SavedFleet,
  plans: ReadonlyMap<string, SavedPlan>,
  { cwd }: Io,
): Promise<string> {
  const path = resolve(cwd, folder);
  const { document, digest } = savedFleetDocument(saved);
  try {
    usable(folderTargetAt(path));
    await makeFolder(path, 0o700);
    for (const file of await readdir(path))
      if (file === INDEX || file.endsWith('.plan.json')) await rm(join(path, file));
    for (const [account, plan] of plans)
      await writeWhole(planFileIn(path, account), jsonText(plan.document));
    await writeWhole(join(path, INDEX), jsonText(document));
  } catch (error) {
    const message = `the plans cannot be written to ${quoted(folder)}: ${reasonOf(error)}`;
    const hint = 'name a folder that can be written';
    throw refusedPlace(message, error) ?? new Stop(EXIT.environment, message, hint);
  }
  return digest;
}

/** The plans in a folder. Throws a `Stop` if there are none, or if they do not match the digest. */
export async function readPlans(
  folder: string,
  digest: string | undefined,
  { cwd }: Io,
): Promise<SavedFleet & { readonly digest: string }> {
  const path = resolve(cwd, folder);
  const hint = 'create plans with `meshform fleet plan --out FOLDER`';
  const text = await readFile(join(path, INDEX), 'utf8').catch((error: unknown) => {
    const message = `the plans in ${quoted(folder)} cannot be read: ${reasonOf(error)}`;
    throw new Stop(EXIT.invalid, message, hint);
  });
  const saved = savedFleetOf(jsonOf(text) ?? null);
  if (saved === null) {
    const message = `the plans in ${quoted(folder)} were changed after they were made, or another version made them`;
    throw new Stop(EXIT.invalid, message, hint);
  }
  if (digest !== undefined && saved.digest !== digest)
    throw new Stop(
      EXIT.invalid,
      `the plans in ${quoted(folder)} have the digest ${saved.digest}, not ${digest}`,
      'apply the plans that were approved',
    );
  await refuseOtherPlans(folder, saved, path);
  return saved;
}

// Checks all plans before the first apply. Otherwise, a plan that is not the approved plan would be
// noticed only in its wave, after other plans were carried out.
async function refuseOtherPlans(folder: string, { plans }: SavedFleet, path: string) {
  const others: string[] = [];
  for (const { account, digest } of plans) {
    const text = await readFile(planFileIn(path, account.name), 'utf8').catch(() => '');
    const document = jsonOf(text);
    if (!isObject(document) || planDigests(document).digest !== digest) others.push(account.name);
  }
  const [first] = others;
  if (first === undefined) return;
  throw new Stop(
    EXIT.invalid,
    `the plan of ${quoted(first)} in ${quoted(folder)} is missing or was changed after it was made${others.length > 1 ? `, and ${others.length - 1} more` : ''}`,
    'restore the folder as `meshform fleet plan --out` wrote it, or plan again',
  );
}
