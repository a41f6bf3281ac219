// A server that exists only as what a test says it answers. Not for tests of connections: nock, once it is imported,
// stands behind every socket of the process, and a refused handshake looks like a lost one.
import nock from 'nock';
import { afterEach, beforeEach, expect } from 'vitest';
import { type TransportOptions, writeTransport } from '../../src/api/transport/transport.ts';
import { options, URL_OF_SERVER } from './calls.ts';

/** Puts a fresh server behind every test of the file. A test that leaves an answer unused fails. */
export function nockEachTest(): void {
  beforeEach(() => nock.disableNetConnect());
  afterEach(() => {
    const left = nock.pendingMocks();
    nock.cleanAll();
    nock.enableNetConnect();
    expect(left).toEqual([]);
  });
}

/** What the server answers. */
export const server = () => nock(URL_OF_SERVER);

/** A transport to the server, with the pauses that it was told to make. */
export function client(more: Partial<TransportOptions> = {}) {
  const pauses: number[] = [];
  return { ...writeTransport({ ...options(pauses), ...more }), pauses };
}
