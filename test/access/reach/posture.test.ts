// Posture checks of machines that the shared cases do not have.
import { expect, test } from 'vitest';
import { judgePosture } from '../../../src/access/posture/judgePosture.ts';

const ofSystem = (os: string) => {
  const checks = {
    os_version_check: { darwin: { min_version: '1' }, ios: { min_version: '2' } },
  };
  return judgePosture({ key: 'systems', checks }, { os, kernel: '9' }).verdict;
};

test.each([
  ['Mac OS X 14.2', 'pass'],
  ['macOS 14.2', 'pass'],
  ['iPadOS 17.1', 'pass'],
  ['iOS 1.0', 'fail'],
  ['Debian 12 (studios)', 'fail'],
])('the prefix of %s decides the operating system: %s', (os, verdict) => {
  expect(ofSystem(os)).toBe(verdict);
});

test('a machine without an address neither passes nor fails a range check', () => {
  for (const action of ['allow', 'deny']) {
    const checks = { peer_network_range_check: { action, ranges: ['10.0.0.0/8'] } };
    const judged = judgePosture({ key: 'ranges', checks }, {});
    expect(judged).toMatchObject({ verdict: 'unknown', passesAsSeen: false });
  }
});

test('a country code matches only in the same case, as the server compares it', () => {
  const verdictOf = (action: string, country_code: string) => {
    const checks = { geo_location_check: { action, locations: [{ country_code }] } };
    return judgePosture({ key: 'places', checks }, { country: 'FR', city: 'Lyon' }).verdict;
  };
  expect([verdictOf('allow', 'FR'), verdictOf('deny', 'FR')]).toEqual(['pass', 'fail']);
  expect([verdictOf('allow', 'fr'), verdictOf('deny', 'fr')]).toEqual(['fail', 'pass']);
});
