// Small accounts as exports write them down, for tests without a server.
import { type ExportInput, exportModel } from '../../src/export/build.ts';
import { oneFile } from '../../src/export/files.ts';
import type { ExportModel } from '../../src/export/model.ts';
import type { Dialect } from '../../src/kinds/traits.ts';
import { live, type Read } from '../engine/planning.ts';
import { KINDS } from '../support/files.ts';

/** The time at which everything here is exported. */
export const NOW = Date.parse('2026-01-02T00:00:00Z');

/** The model of an account that reads like this. */
export function modelOf(
  reads: readonly Read[],
  dialect?: Dialect,
  limit: Pick<ExportInput, 'isExported'> = {},
): ExportModel {
  const input = { kinds: KINDS, objects: live(reads), now: NOW, ...limit };
  return exportModel({ ...input, ...(dialect && { dialect }) });
}

/** Its text, without the line for editors. */
export function textOf(reads: readonly Read[], dialect?: Dialect): string {
  return oneFile(modelOf(reads, dialect), KINDS).replace(/^# yaml-language-server.*\n\n?/, '');
}
