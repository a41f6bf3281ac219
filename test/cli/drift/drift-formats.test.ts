// `drift --format` writes JSON, JUnit and Markdown.
import { describe, expect, test } from 'vitest';
import { shippedSchema } from '../../../src/kinds/registry.ts';
import { schemaCompiler } from '../../../src/kinds/schema/keywords.ts';
import { applied, type Scene } from './appliedFolder.ts';

test('the acknowledged part of a declared object is a separate test in JUnit', () =>
  applied(async ({ run, delete: remove }) => {
    await remove('/api/policies', 'engineers reach databases');
    const groups = await run('drift', '--kinds', 'groups', '--format', 'junit');
    expect(groups.stdout).toContain('tests="2" failures="0"');
    expect(groups.code).toBe(0);
  }));

describe('drift in other formats', () => {
  const drifted = (use: (scene: Scene) => Promise<void>) =>
    applied(async scene => {
      await scene.byHand('/api/posture-checks', 'recent agent', { description: '<by> "hand" |' });
      await scene.byHand('/api/policies', 'engineers reach databases', { description: 'known' });
      await scene.write(
        'meshform.yaml',
        'acknowledge: [{ object: policy/engineers reach databases, reason: R & D, until: 2026-12-31 }]',
      );
      await use(scene);
    });

  test('JSON is the document of a plan, with the changes made in the account', () =>
    drifted(async ({ run }) => {
      const { stdout } = await run('drift', '--format', 'json');
      const document = JSON.parse(stdout);
      const isDocument = schemaCompiler().compile(shippedSchema('plan.schema.json'));
      expect(isDocument(document), JSON.stringify(isDocument.errors)).toBe(true);
      expect(document.resource_drift).toMatchObject([
        {
          address: 'posture_check["recent agent"]',
          change: { actions: ['update'], after: { description: '<by> "hand" |' } },
        },
      ]);
      expect(document.meshform.acknowledged).toEqual([
        {
          address: 'policy["engineers reach databases"]',
          fields: ['description'],
          reason: 'R & D',
          until: '2026-12-31',
        },
      ]);
    }));

  test('JUnit has a test for each declared object', () =>
    drifted(async ({ run }) => {
      const { stdout, code } = await run('drift', '--format', 'junit');
      expect(code).toBe(2);
      expect(stdout).toContain('<testsuite name="meshform drift" tests="4" failures="1"');
      expect(stdout).toContain(
        '<testcase classname="group" name="group.engineers" file="network.yaml" line="3"/>',
      );
      expect(stdout).toContain('&quot;as agreed&quot; -&gt;');
      expect(stdout).toContain('&lt;by&gt; \\&quot;hand\\&quot; |');
      expect(stdout).toContain('<skipped message="acknowledged until 2026-12-31: R &amp; D"/>');
      expect(stdout).not.toMatch(/<by>|R & D/);
    }));

  test('Markdown has a row for each difference', () =>
    drifted(async ({ run }) => {
      const { stdout } = await run('drift', '--format', 'markdown');
      expect(stdout).toContain(
        '| `posture_check["recent agent"]` | has changed in the account | `description` |  |',
      );
      expect(stdout).toContain('| `description` | until 2026-12-31: R & D |');
    }));
});
