// `acknowledge` in the project file silences a known difference until its last day.
import { describe, expect, test } from 'vitest';
import { applied, lastLine } from './appliedFolder.ts';

describe('an acknowledged difference', () => {
  const known = (object: string, until = '2026-06-15') =>
    `acknowledge: [{ object: ${object}, reason: the audit asked for it, until: ${until} }]\n`;

  test('does not fail the run until its expiry, and is still reported', () =>
    applied(async ({ run, write, byHand }) => {
      await byHand('/api/posture-checks', 'recent agent', { description: 'by hand' });
      await write('meshform.yaml', known('posture_check/recent agent.description'));
      const silenced = await run('drift');
      expect(silenced.code).toBe(0);
      expect(silenced.stdout).toContain('until 2026-06-15: the audit asked for it');
      expect(lastLine(silenced)).toBe('No drift; 1 acknowledged.');
      await write('meshform.yaml', known('posture_check/recent agent.description', '2026-06-14'));
      const over = await run('drift');
      expect(over.code).toBe(2);
      expect(over.stderr).toContain('meshform.yaml:1:15 warning ACKNOWLEDGED_NO_MORE');
    }));

  test('is still repaired by an apply', () =>
    applied(async ({ run, write, byHand }) => {
      await byHand('/api/posture-checks', 'recent agent', { description: 'by hand' });
      await write('meshform.yaml', known('posture_check/recent agent'));
      expect((await run('plan')).stdout).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
    }));

  test('the acknowledgement of one field does not cover another field', () =>
    applied(async ({ run, write, byHand }) => {
      await byHand('/api/policies', 'engineers reach databases', {
        description: 'by hand',
        enabled: false,
      });
      await write('meshform.yaml', known('policy/engineers reach databases.description'));
      const ended = await run('drift');
      expect(ended.code).toBe(2);
      expect(lastLine(ended)).toBe('Drift: 1 changed, 0 missing, 0 not removed; 1 acknowledged.');
    }));

  test('an acknowledgement that matches no drift is reported', () =>
    applied(async ({ run, write }) => {
      await write('meshform.yaml', known('group/engineers'));
      const ended = await run('drift');
      expect(ended.code).toBe(0);
      expect(ended.stderr).toContain('ACKNOWLEDGED_NOTHING');
    }));
});
