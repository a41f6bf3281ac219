// Reads the `access_tests` of files and checks their form. Their names are resolved when they are evaluated.
import type { ValidateFunction } from 'ajv';
import { shippedSchema } from '../../kinds/registry.ts';
import { shippedSchemaCheck } from '../../kinds/shippedChecks.ts';
import type { AccessTest, WrittenSelector } from '../../model/access/accessTest.ts';
import { type Diagnostic, spanText } from '../../model/diagnostic.ts';
import { quoted } from '../../model/text/visible.ts';
import { isList, isObject, type Json } from '../../model/value.ts';
import { schemaFindings } from '../findings/findings.ts';
import { isOfGrant, lastingSection } from '../templates/grantTemplateFaults.ts';
import type { SourceNode } from '../yaml/node.ts';

/** The top-level key of access tests. */
export const ACCESS_TESTS = 'access_tests';

export interface ReadTests {
  readonly tests: readonly AccessTest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns a function that reads the tests in the documents of a file. The schema is compiled for the first test. */
export function testReader(): (documents: readonly SourceNode[]) => ReadTests {
  let check: ValidateFunction | undefined;
  return documents => {
    const holders = documents.filter(
      ({ value }) => isObject(value) && value[ACCESS_TESTS] !== undefined,
    );
    const read = holders.map(document => {
      check ??= shippedSchemaCheck(shippedSchema('access-tests.schema.json'));
      const section = document.inside([ACCESS_TESTS]);
      // A failing test stops applies. A test in a file of grants would still do so after all its grants have expired.
      return isOfGrant(section)
        ? { tests: [], diagnostics: [lastingSection(ACCESS_TESTS, section)] }
        : testsIn(section, check);
    });
    return {
      tests: read.flatMap(({ tests }) => tests),
      diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
    };
  };
}

/** Access tests of one layer. */
interface LayerTests {
  readonly order: number;
  readonly tests: readonly AccessTest[];
}

/** The errors for access tests with the name of a test in an earlier layer, because a result could belong to either test. */
export function namedTwice(layers: readonly LayerTests[]): readonly Diagnostic[] {
  const first = new Map<string, LayerTests & { readonly at: AccessTest['at'] }>();
  return layers
    .toSorted((one, other) => one.order - other.order)
    .flatMap(layer =>
      layer.tests.flatMap(({ name, at }): readonly Diagnostic[] => {
        const other = first.get(name);
        if (!other) first.set(name, { ...layer, at });
        if (!other || other.order === layer.order) return [];
        return [
          {
            code: 'ACCESS_TEST_INVALID',
            severity: 'error',
            message: `another layer already has an access test ${quoted(name)}`,
            at,
            hint: `it is at ${spanText(other.at)}; a layer cannot replace a test of another layer: give this test another name`,
          },
        ];
      }),
    );
}

/** The members of the access tests of a document. */
export function testsOf(document: SourceNode): SourceNode[] {
  const tests = document.inside([ACCESS_TESTS]);
  const isThere = isObject(document.value) && isList(document.value[ACCESS_TESTS]);
  return isThere && isList(tests.value)
    ? tests.value.map((_, at) => tests.inside([String(at)]))
    : [];
}

function testsIn(node: SourceNode, check: ValidateFunction): ReadTests {
  if (node.isBroken([])) return { tests: [], diagnostics: [] };
  if (!check(node.value))
    return { tests: [], diagnostics: schemaFindings(check.errors ?? [], node) };
  const members = isList(node.value) ? node.value.map((_, at) => node.inside([String(at)])) : [];
  const tests = members.map(testOf);
  return { tests, diagnostics: tests.flatMap(formFault) };
}

// The schema has checked the types.
function testOf(node: SourceNode): AccessTest {
  const fields = isObject(node.value) ? node.value : {};
  const one = (name: string) => {
    const [found] = selectorsIn(node, name, [fields[name]]);
    return found === undefined ? {} : { [name]: found };
  };
  const many = (name: string) => {
    const list = fields[name];
    return selectorsIn(node, name, isList(list) ? list : []);
  };
  return {
    name: String(fields.name),
    at: node.at([]),
    ...one('from'),
    ...one('to'),
    allow: many('allow'),
    deny: many('deny'),
    onlyFrom: many('only_from'),
    except: many('except'),
    ...(isObject(fields.with) && { facts: fields.with }),
    passesPosture: fields.posture === 'pass',
  };
}

function selectorsIn(
  node: SourceNode,
  name: string,
  values: readonly (Json | undefined)[],
): WrittenSelector[] {
  const isMany = isList(isObject(node.value) ? node.value[name] : null);
  return values.flatMap((text, at) =>
    typeof text === 'string' ? [{ text, at: node.at(isMany ? [name, String(at)] : [name]) }] : [],
  );
}

function formFault({
  name,
  at,
  from,
  to,
  allow,
  deny,
  onlyFrom,
  except,
}: AccessTest): Diagnostic[] {
  const asksFrom = from !== undefined && allow.length + deny.length > 0 && onlyFrom.length === 0;
  const asksTo = to !== undefined && onlyFrom.length > 0 && allow.length + deny.length === 0;
  if (except.length > 0 && deny.length + onlyFrom.length === 0) return [exceptFault(name, at)];
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

const exceptFault = (name: string, at: AccessTest['at']): Diagnostic => ({
  code: 'ACCESS_TEST_INVALID',
  severity: 'error',
  message: `access test ${quoted(name)} has \`except\`, but nothing that \`except\` applies to`,
  at,
  hint: '`except` is allowed only with `deny` and `only_from`',
});
