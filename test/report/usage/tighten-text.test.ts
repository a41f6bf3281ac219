// The findings of `tighten` as text: however many there are, they fit a screen or two until details are asked for.
import { describe, expect, test } from 'vitest';
import { type Key, kindName } from '../../../src/model/names.ts';
import type {
  FindingState,
  TightenedObject,
  TightenFinding,
  Tightening,
} from '../../../src/model/tightening.ts';
import { PLAIN } from '../../../src/report/text/style.ts';
import { tightenComment } from '../../../src/report/usage/tightenComment.ts';
import { tightenDocument } from '../../../src/report/usage/tightenDocument.ts';
import { tightenText } from '../../../src/report/usage/tightenText.ts';
import { expectDescribed } from '../../support/described.ts';
import { KINDS } from '../../support/files.ts';

const STATES: readonly FindingState[] = ['certain', 'decide', 'unknown'];

const objectAt = (line: number): TightenedObject['object'] => ({
  kind: kindName('policy'),
  key: `policy ${line}` as Key,
  rule: 'web',
  at: { file: 'policies.yaml', line, column: 5 },
});

const findingAt = (line: number, port: number): TightenFinding => ({
  type: 'unused-port',
  object: objectAt(line),
  at: objectAt(line).at,
  what: `port ${port}`,
  observed: 'unused in these 45 days',
  edit: 'remove',
  state: STATES[port % STATES.length] ?? 'unknown',
  lost: {
    flows: port % STATES.length === 1 ? 3 : 0,
    of: 12_408,
    machines: 1,
    examples: [{ source: 'mia', destination: 'web', protocol: 'tcp/443', last: 0 }],
  },
});

/** Findings about so many rules, two of each, and as many that are kept. */
const tightening = (rules: number): Tightening => {
  const lines = Array.from({ length: rules }, (_, at) => at + 1);
  return {
    log: { from: 0, to: 45 * 86_400_000, days: 45, flows: 5_000_000, gaps: [] },
    objects: lines.map(line => ({
      object: objectAt(line),
      use: { days: 3, ofDays: 45, reporting: 33, ofMachines: 34 },
      findings: [findingAt(line, 2 * line), findingAt(line, 2 * line + 1)],
    })),
    kept: lines.map(line => ({
      finding: findingAt(line, 9),
      by: 'lifecycle',
      reason: 'a test of each year',
    })),
  };
};

const linesOf = (rules: number, isDetailed: boolean, width = PLAIN.width): readonly string[] => {
  const settings = { kinds: KINDS, isDetailed, isWritten: false };
  const style = { ...PLAIN, width };
  return tightenText(tightening(rules), style, settings).trimEnd().split('\n');
};

describe('a comment', () => {
  const commentOn = (unwritten: readonly string[], isWritten = true) =>
    tightenComment(tightening(2), { kinds: KINDS, isDetailed: false, isWritten }, unwritten);
  const place = (line: number) => `policies.yaml:${line}:5: it is made by \`for_each\``;

  test('says which findings in state `certain` the pull request does not contain', () => {
    expect(commentOn([])).toContain('edited as the findings in state `certain` propose.');
    const text = commentOn([place(1)]);
    expect(text).toContain(
      'The files of this pull request are edited as the findings in state `certain` propose, without 1 edit that meshform cannot write:',
    );
    expect(text).toContain(`\n- ${place(1)}\n`);
    expect(commentOn([], false)).toContain('Nothing was written.');
  });

  test('lists at most 20 of them', () => {
    const text = commentOn(Array.from({ length: 1_000 }, (_, at) => place(at + 1)));
    expect(text.match(/^- policies/gm)).toHaveLength(20);
    expect(text).toContain('- and 980 more');
  });
});

describe('the findings about 1,000 rules', () => {
  test('take at most 40 lines, which say how many are left', () => {
    const lines = linesOf(1_000, false);
    expect(lines.length).toBeLessThanOrEqual(40);
    const shown = lines.filter(line => /^ {2}port /.test(line)).length;
    expect(shown).toBeGreaterThan(10);
    expect(lines).toContain(`… and ${2_000 - shown} more findings: --details lists all`);
    expect(lines.at(-1)).toMatch(/^2000 findings: .*; 1000 kept\.$/);
  });

  test('take at most 40 lines on a narrow terminal too', () => {
    const lines = linesOf(1_000, false, 60);
    expect(lines.filter(line => line.length > 60)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.some(line => /^ {2}port /.test(line))).toBe(true);
  });

  test('are all printed with --details', () => {
    const lines = linesOf(1_000, true);
    expect(lines.filter(line => /^ {2}port /.test(line))).toHaveLength(2_000);
    expect(lines.filter(line => line.startsWith('Kept: '))).toHaveLength(1_000);
  });
});

describe('contradictions', () => {
  const contradiction = (line: number) => ({
    policy: `policy ${line}`,
    object: { kind: kindName('policy'), key: `policy ${line}` as Key, at: objectAt(line).at },
    flows: 2,
    admitted: ['shell'],
    examples: [{ source: 'mia', destination: 'web', protocol: 'tcp/22', last: 0 }],
  });
  const textOf = (contradictions: Tightening['contradictions'], isDetailed = false) =>
    tightenText({ objects: [], kept: [], ...(contradictions && { contradictions }) }, PLAIN, {
      kinds: KINDS,
      isDetailed,
      isWritten: false,
    });

  test('have a line each, with the place of the policy and an example', () => {
    expect(textOf([contradiction(7)]).replaceAll(/\n {2,}/g, ' ')).toBe(
      'Contradiction: policies.yaml:7:5  policy "policy 7"  the server names it for 2 flows, which only "shell" admits, such as mia → web  tcp/22  last 1970-01-01T00:00:00Z\nNothing to propose; 1 contradiction.\n',
    );
    const { object: _, ...foreign } = { ...contradiction(1), admitted: [] };
    expect(textOf([foreign])).toContain(
      'Contradiction: policy "policy 1"  the server names it for 2 flows, which no policy admits,',
    );
  });

  test('are at most three lines without --details', () => {
    const many = Array.from({ length: 10 }, (_, at) => contradiction(at + 1));
    expect(textOf(many).match(/^Contradiction/gm)).toHaveLength(3);
    expect(textOf(many)).toContain('… and 7 more contradictions: --details lists all');
    expect(textOf(many, true).match(/^Contradiction/gm)).toHaveLength(10);
  });

  test('are in the document', () => {
    const { object: _, ...foreign } = contradiction(2);
    const tightened = { objects: [], kept: [], contradictions: [contradiction(1), foreign] };
    const document = tightenDocument(tightened, { files: [], unwritten: [] });
    expectDescribed(JSON.stringify(document), 'tightening.schema.json');
    expect(document).toMatchObject({
      contradictions: [{ policy: 'policy 1', at: 'policies.yaml:1:5', admitted_by: ['shell'] }, {}],
    });
  });
});
