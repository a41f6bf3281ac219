// Faults in the `lifecycle` of an object that its schema cannot find: unknown fields, and entries without effect.
import { formerKeys } from '../../kinds/identity/formerKeys.ts';
import { namingFields } from '../../kinds/identity/identity.ts';
import type { Field, Kind } from '../../kinds/kind.ts';
import { type DiagnosticCode, isLintCode, LINT_CODES } from '../../model/codes.ts';
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { segmentsOf } from '../../model/key.ts';
import { didYouMean } from '../../model/text/nearest.ts';
import { isList, isObject, type Json, type Path } from '../../model/value.ts';
import { named, quotedBriefly } from '../sentenceWords.ts';
import type { Declared } from './declared.ts';

/** The findings for the lifecycle of one object. */
export function lifecycleFindings(object: Declared): Diagnostic[] {
  const { desired, node } = object;
  const found = [
    ...entriesOf(desired.lifecycle.ignore, 'ignore').map(entry => fieldFinding(object.kind, entry)),
    ...entriesOf(desired.lifecycle.exact, 'exact').map(
      entry => fieldFinding(object.kind, entry) ?? notExact(object, entry),
    ),
    formerName(object),
    deletion(object),
    ...unknownLints(desired.lifecycle.lint_ignore),
  ];
  return Object.keys(desired.lifecycle).length === 0
    ? []
    : found.flatMap(finding => {
        if (!finding) return [];
        const { path, code, severity, message, hint } = finding;
        return [{ code, severity, message, at: node.at(['lifecycle', ...path]), hint }];
      });
}

interface Finding {
  readonly code: Extract<
    DiagnosticCode,
    'LIFECYCLE_IGNORED' | 'LIFECYCLE_UNKNOWN_FIELD' | 'LINT_IGNORE_UNKNOWN' | 'SCHEMA_COMBINATION'
  >;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  /** The path within the lifecycle. */
  readonly path: Path;
}

const ignored = (path: Path, message: string, hint: string): Finding => ({
  code: 'LIFECYCLE_IGNORED',
  severity: 'warning',
  message,
  hint,
  path,
});

interface Entry {
  readonly name: string;
  readonly path: Path;
}

// The entries of a list, each name once. A value that is not a list of names is already reported.
function entriesOf(entries: Json | undefined, list: 'ignore' | 'exact'): Entry[] {
  return (isList(entries) ? entries : []).flatMap((name, i, all) =>
    typeof name === 'string' && all.indexOf(name) === i ? [{ name, path: [list, String(i)] }] : [],
  );
}

function fieldFinding(kind: Kind, { name, path }: Entry): Finding | null {
  const field = kind.shape.fields.get(name);
  if (!field) {
    const known = [...kind.shape.fields.values()].filter(isWritable).map(known => known.name);
    const message = `${named(path)} is not a field of the kind ${kind.noun}`;
    const hint = didYouMean(name, known) ?? `its fields: ${known.sort().join(', ')}`;
    return { code: 'LIFECYCLE_UNKNOWN_FIELD', severity: 'error', message, hint, path };
  }
  if (isWritable(field)) return null;
  return ignored(
    path,
    `${quotedBriefly(name)} is set by the server and never compared`,
    'remove it',
  );
}

const isWritable = (field: Field): boolean => !field.readOnly && !field.sentBack;

function notExact({ kind, desired }: Declared, { name, path }: Entry): Finding | null {
  const { shared: isShared, writtenAs } = kind.shape.fields.get(name) ?? {};
  if (writtenAs !== undefined) {
    const other = quotedBriefly(writtenAs);
    const message = `${quotedBriefly(name)} is written as the ${other} of the objects that it names, so it cannot be exact here`;
    const hint = `write \`exact: [${writtenAs}]\` in the lifecycle of those objects`;
    return { ...ignored(path, message, hint), severity: 'error' };
  }
  if (isShared !== true) {
    const shared = [...kind.shape.fields.values()].filter(field => field.shared);
    const names = shared.map(field => field.name).join(', ');
    const hint = names
      ? `only sets to which others can add members need it: ${names}`
      : 'remove it';
    return ignored(path, `${quotedBriefly(name)} is always compared as a whole`, hint);
  }
  if (entriesOf(desired.lifecycle.ignore, 'ignore').some(entry => entry.name === name)) {
    return ignored(
      path,
      `${quotedBriefly(name)} is in \`ignore\`, so it cannot be in \`exact\``,
      'keep one of the two',
    );
  }
  if (desired.fields[name] !== undefined) return null;
  const message = `${quotedBriefly(name)} is not declared, so \`exact\` has no list to compare with`;
  return ignored(path, message, `declare it; ${quotedBriefly(`${name}: []`)} removes every member`);
}

function formerName({ desired, kind }: Declared): Finding | null {
  const { was, id } = desired.lifecycle;
  if (was === undefined) return null;
  const fixed = namingFields(kind).find(name => kind.shape.fields.get(name ?? '')?.immutable);
  if (fixed !== undefined) {
    const message = `a ${kind.noun} cannot be renamed: ${quotedBriefly(fixed)} is immutable`;
    const hint = 'remove `was`; an object with another name is a different object';
    return { ...ignored(['was'], message, hint), severity: 'error' };
  }
  const parts = kind.identity.map(part => part.map(quotedBriefly).join(' or '));
  if (was.split(' ').length < parts.length) {
    const message = `${quotedBriefly(was)} is not the name of a ${kind.noun}, which consists of ${parts.join(', ')}`;
    const name = segmentsOf(desired.key, kind.depth)?.at(-1) ?? desired.key;
    return ignored(['was'], message, `write all of them, as in ${quotedBriefly(name)}`);
  }
  if (formerKeys(kind, desired.parent, was).includes(desired.key)) {
    const message = `${quotedBriefly(was)} is its current name`;
    return ignored(['was'], message, 'write the name it had before');
  }
  if (id === undefined) return null;
  return ignored(['was'], '`id` already identifies the object', 'keep one of `id` and `was`');
}

function deletion({ desired, kind }: Declared): Finding | null {
  const { delete: isDoomed, protect } = desired.lifecycle;
  if (isDoomed !== true) return null;
  if (kind.cardinality !== 'collection' && !kind.verbs.has('delete')) {
    const message = `every account has its ${kind.noun}, which cannot be deleted`;
    return { ...ignored(['delete'], message, 'remove it'), severity: 'error' };
  }
  if (!kind.verbs.has('delete')) {
    const message = `the API cannot delete a ${kind.noun}`;
    return ignored(['delete'], message, 'remove it');
  }
  if (protect !== true) return null;
  const message = '`protect` and `delete` exclude each other';
  const hint = 'to delete it, first remove `protect` in a separate change';
  return { code: 'SCHEMA_COMBINATION', severity: 'error', message, hint, path: ['delete'] };
}

function unknownLints(ignored: Json | undefined): Finding[] {
  const codes = Object.keys(isObject(ignored) ? ignored : {}).filter(code => !isLintCode(code));
  return codes.map(code => ({
    code: 'LINT_IGNORE_UNKNOWN',
    severity: 'error',
    path: ['lint_ignore', code],
    message: `${quotedBriefly(code)} is not the code of a lint`,
    hint: didYouMean(code, Object.keys(LINT_CODES)) ?? 'docs/codes.md lists the codes',
  }));
}
