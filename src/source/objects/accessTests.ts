// Reads the `access_tests` of files and checks their form. Their names are resolved when they are evaluated.
import type { ValidateFunction } from 'ajv';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/schema/shippedChecks.ts';
import type { AccessTest, WrittenSelector } from '../../model/access/accessTest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import { schemaFindings } from '../findings/findings.ts';
import type { Placed } from '../yaml/document.ts';

/** The top-level key of access tests. */
export const ACCESS_TESTS = 'access_tests';

export interface ReadTests {
  readonly tests: readonly AccessTest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A function that reads the tests in the documents of a file. The schema is compiled with the first test. */
export function testReader(): (documents: readonly Placed[]) => ReadTests {
  let check: ValidateFunction | undefined;
  return documents => {
    const holders = documents.filter(
      ({ value }) => isObject(value) && value[ACCESS_TESTS] !== undefined,
    );
    const read = holders.map(document => {
      check ??= shippedSchemaCheck(shippedSchema('access-tests.schema.json'));
      return testsIn(document.inside([ACCESS_TESTS]), check);
    });
    return {
      tests: read.flatMap(({ tests }) => tests),
      diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
    };
  };
}

function testsIn(placed: Placed, check: ValidateFunction): ReadTests {
  if (placed.isBroken([])) return { tests: [], diagnostics: [] };
  if (!check(placed.value))
    return { tests: [], diagnostics: schemaFindings(check.errors ?? [], placed) };
  const members = isList(placed.value)
    ? placed.value.map((_, at) => placed.inside([String(at)]))
    : [];
  const tests = members.map(testOf);
  return { tests, diagnostics: tests.flatMap(formFault) };
}

// The schema has checked the types.
function testOf(placed: Placed): AccessTest {
  const fields = isObject(placed.value) ? placed.value : {};
  const one = (name: string) => {
    const [found] = selectorsIn(placed, name, [fields[name]]);
    return found === undefined ? {} : { [name]: found };
  };
  const many = (name: string) => {
    const list = fields[name];
    return selectorsIn(placed, name, isList(list) ? list : []);
  };
  return {
    name: String(fields.name),
    at: placed.at([]),
    ...one('from'),
    ...one('to'),
    ...{ allow: many('allow'), deny: many('deny'), onlyFrom: many('only_from') },
    ...(isObject(fields.with) && { facts: fields.with }),
    passesPosture: fields.posture === 'pass',
  };
}

function selectorsIn(
  placed: Placed,
  name: string,
  values: readonly (Json | undefined)[],
): WrittenSelector[] {
  const isMany = isList(isObject(placed.value) ? placed.value[name] : null);
  return values.flatMap((text, at) =>
    typeof text === 'string' ? [{ text, at: placed.at(isMany ? [name, String(at)] : [name]) }] : [],
  );
}

function formFault({ name, at, from, to, allow, deny, onlyFrom }: AccessTest): Diagnostic[] {
  const asksFrom = from !== undefined && allow.length + deny.length > 0 && onlyFrom.length === 0;
  const asksTo = to !== undefined && onlyFrom.length > 0 && allow.length + deny.length === 0;
  if (asksFrom && to === undefined) return [];
  if (asksTo && from === undefined) return [];
  return [
    {
      code: 'ACCESS_TEST_INVALID',
      severity: 'error',
      message: `access test ${quoted(name)} is not complete`,
      at,
      hint: 'write `from` with `allow` or `deny`, or `to` with `only_from`',
    },
  ];
}
