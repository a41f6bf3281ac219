// The named transforms: what a server shows in another form than it was written in.
import { describe, expect, test } from 'vitest';
import type { TransformName } from '../../src/kinds/traits.ts';
import type { Fields, Json } from '../../src/model/value.ts';
import { TRANSFORM } from '../../src/wire/transforms.ts';

const shown = (name: TransformName, body: Fields, value?: Json) => TRANSFORM[name](value, body);

describe('a lifetime in days', () => {
  const from = { created_at: '2026-01-02T03:04:05Z' };

  test.each([
    [1, '2026-01-03T03:04:05Z'],
    [365, '2027-01-02T03:04:05Z'],
    // A server may round its times differently.
    [30, '2026-02-01T03:04:04.9Z'],
  ])('is %d if it expires at %s', (days, expiration_date) => {
    expect(shown('lifetime-in-days', { ...from, expiration_date })).toBe(days);
  });

  test.each([[{}], [from], [{ ...from, expiration_date: 'soon' }]])('is unknown for %j', body => {
    expect(shown('lifetime-in-days', body)).toBeUndefined();
  });
});

describe('the limit of a key', () => {
  test.each([
    ['reusable', 5],
    ['one-off', undefined],
  ])('the limit of a key of %s is %s', (type, limit) => {
    expect(shown('limit-of-reusable', { type }, 5)).toBe(limit);
  });
});

describe('mappings of ports', () => {
  const mapping = (start: number, end: number, protocol: string) => ({
    translated_start: start,
    translated_end: end,
    protocol,
    ingress_start: start + 1000,
    ingress_end: end + 1000,
  });
  const body = (...port_range_mappings: Fields[]) => ({ port_range_mappings });

  test('are ranges of the peer’s ports', () => {
    const two = body(mapping(80, 90, 'tcp'), mapping(53, 53, 'udp'));
    expect(shown('mapped-port-ranges', two)).toEqual([
      { start: 80, end: 90, protocol: 'tcp' },
      { start: 53, end: 53, protocol: 'udp' },
    ]);
  });

  test('are a number of ports if one protocol has them all', () => {
    const one = body(mapping(80, 89, 'tcp'), mapping(100, 100, 'tcp'));
    expect(shown('mapped-direct-port', one)).toEqual({ count: 11, protocol: 'tcp' });
  });

  test('mappings of ports of several protocols were not requested as a number', () => {
    const two = body(mapping(80, 90, 'tcp'), mapping(53, 53, 'udp'));
    expect(shown('mapped-direct-port', two)).toBeUndefined();
  });

  test('mappings of ports that are not shown are unknown', () => {
    expect(shown('mapped-port-ranges', {})).toBeUndefined();
    expect(shown('mapped-direct-port', {})).toBeUndefined();
  });
});

describe('a placeholder network', () => {
  test.each([
    [{ domains: ['a.example'] }, undefined],
    [{ network_type: 'Domain' }, undefined],
    [{ domains: null }, '10.0.0.0/8'],
    [{ domains: [] }, '10.0.0.0/8'],
  ])('a placeholder network beside %j reads as %s', (body, network) => {
    expect(shown('placeholder-network', body, '10.0.0.0/8')).toBe(network);
  });
});
