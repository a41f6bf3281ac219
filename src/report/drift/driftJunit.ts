// Drift as JUnit XML for CI systems: a test for each declared object, and for each object that an unfinished apply left. A test
// fails if its object differs.
import type { ShownChange } from '../../model/change.ts';
import type { Span } from '../../model/diagnostic.ts';
import { addressOf } from '../../model/key.ts';
import type { Address } from '../../model/names.ts';
import type { Desired } from '../../model/object.ts';
import { PLAIN } from '../text/style.ts';
import { xmlAttribute, xmlText } from '../text/xmlText.ts';
import type { Acknowledged } from './acknowledged.ts';
import { type DriftReport, type DriftRequest, whatOf } from './drift.ts';
import { driftBlocks, leftAlonePart } from './driftText.ts';

/** Drift as XML. An object with only acknowledged drift counts as skipped. */
export function render({ report, declared, detail = 'screen' }: DriftRequest): string {
  const failed = new Map(report.open.map(change => [change.address, change]));
  const skipped = Map.groupBy(report.acknowledged, ({ change }) => change.address);
  const objects = [
    ...declared.map(({ kind, key, at }) => ({ kind, address: addressOf(kind, key), at })),
    ...leftObjects(report, declared),
  ];
  const cases = objects.map(({ kind, address, at }) => {
    const change = failed.get(address);
    const known = skipped.get(address);
    const outcome = change ? failure(change, report) : known ? skip(known) : '';
    return testCase({ kind, address, at }, outcome);
  });
  const skips = [...skipped.keys()].filter(address => !failed.has(address)).length;
  const counts = `tests="${cases.length}" failures="${failed.size}" errors="0" skipped="${skips}"`;
  const others = leftAlonePart(report, PLAIN, detail);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="meshform drift" ${counts}>`,
    `  <testsuite name="meshform drift" ${counts}>`,
    ...cases,
    ...(others === '' ? [] : [`    <system-out>${xmlText(others)}</system-out>`]),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** An object with a test. Without a place, no file declares the object. */
interface TestedObject {
  readonly kind: string;
  readonly address: Address;
  readonly at?: Span | undefined;
}

function leftObjects(
  { open, acknowledged, left = new Map() }: DriftReport,
  declared: readonly Desired[],
): readonly TestedObject[] {
  const known = new Set(declared.map(({ kind, key }) => addressOf(kind, key)));
  const changes = [...open, ...acknowledged.map(({ change }) => change)];
  const undeclared = new Map(
    changes
      .filter(({ address }) => left.has(address) && !known.has(address))
      .map(({ kind, address }) => [address, { kind, address }]),
  );
  return [...undeclared.values()];
}

function testCase({ kind, address, at }: TestedObject, outcome: string): string {
  const where = at ? ` file="${xmlAttribute(at.file)}" line="${at.line}"` : '';
  const head = `    <testcase classname="${xmlAttribute(kind)}" name="${xmlAttribute(address)}"${where}`;
  return outcome === '' ? `${head}/>` : `${head}>\n${outcome}\n    </testcase>`;
}

function failure(change: ShownChange, report: DriftReport): string {
  const message = `${change.address} ${whatOf(change, report)}`;
  const details = driftBlocks([change], report, PLAIN).join('\n');
  return `      <failure type="drift" message="${xmlAttribute(message)}">${xmlText(details)}</failure>`;
}

function skip(known: readonly Acknowledged[]): string {
  const reasons = known.map(({ entry: { until, reason } }) => `until ${until}: ${reason}`);
  return `      <skipped message="${xmlAttribute(`acknowledged ${reasons.join('; ')}`)}"/>`;
}
