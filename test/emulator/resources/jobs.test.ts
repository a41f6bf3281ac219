// Jobs: their states and state changes (docs/server-behaviour.md#jobs).
import { describe, expect, it } from 'vitest';
import { jobBody } from '../bodies.ts';
import { type Emulated, emulated, idOf, refused } from '../emulated.ts';
import { owner } from '../people/people.ts';

async function machine(api: Emulated, more: object = {}) {
  const id = await api.enrol('laptop', more);
  return { id, path: `/api/peers/${id}/jobs` };
}

const FAILED = { status: 'failed', completed_at: expect.any(String) };

describe.each(['spec', 'netbird'] as const)('Job: pending, dialect %s', dialect => {
  it('begins pending, with the requested parameters', async () => {
    const api = await emulated({ dialect });
    const { path } = await machine(api);
    const made = await api.post(path, jobBody({ anonymize: false }));
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.any(String),
      completed_at: null,
      status: 'pending',
      failed_reason: null,
      triggered_by: (await owner(api)).id,
      ...jobBody({ anonymize: false }),
    });
    expect(await api.get(`${path}/${idOf(made)}`)).toEqual(made);
  });

  it('the machine answers: succeeded, with the place of the bundle', async () => {
    const api = await emulated({ dialect });
    const { path } = await machine(api);
    const id = await api.make(path, jobBody());
    await api.control('POST', `/emulator/jobs/${id}`, { upload_key: 'k' });
    expect(await api.get(`${path}/${id}`)).toMatchObject({
      status: 'succeeded',
      completed_at: expect.any(String),
      failed_reason: null,
      workload: { type: 'bundle', result: { upload_key: 'k' } },
    });
  });

  it('the machine fails: failed, with the reason', async () => {
    const api = await emulated({ dialect });
    const { path } = await machine(api);
    const id = await api.make(path, jobBody());
    await api.control('POST', `/emulator/jobs/${id}`, { failed_reason: 'no disk' });
    const job = await api.get(`${path}/${id}`);
    expect(job).toMatchObject({ ...FAILED, failed_reason: 'no disk' });
    expect(Object(job).workload).not.toHaveProperty('result');
  });

  it.each(['disconnect', 'connect'])(
    'the machine disconnects or reconnects (%s): failed',
    async move => {
      const api = await emulated({ dialect });
      const { id: peer, path } = await machine(api);
      const id = await api.make(path, jobBody());
      await api.control('POST', `/emulator/peers/${peer}/${move}`);
      expect(await api.get(`${path}/${id}`)).toMatchObject(FAILED);
    },
  );

  it('nobody answers for five minutes: failed', async () => {
    const api = await emulated({ dialect });
    const { path } = await machine(api);
    const id = await api.make(path, jobBody());
    await api.control('POST', '/emulator/clock', { advance: 299 });
    expect(await api.get(`${path}/${id}`)).toMatchObject({ status: 'pending' });
    await api.control('POST', '/emulator/clock', { advance: 1 });
    expect(await api.get(`${path}/${id}`)).toMatchObject(FAILED);
  });

  it('a peer has at most one pending job, and lists all, newest first', async () => {
    const api = await emulated({ dialect });
    const { path } = await machine(api);
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const id = await api.make(path, jobBody());
      expect(await api.refusal('POST', path, jobBody())).toEqual(refused(400));
      await api.control('POST', `/emulator/jobs/${id}`, { upload_key: 'k' });
      ids.unshift(id);
    }
    const listed = [await api.get(path)].flat().map(idOf);
    expect(listed).toEqual(ids);
  });

  it.each([
    ['a wait below a minute', { bundle_for: true, bundle_for_time: 0 }],
    ['a wait above five minutes', { bundle_for: true, bundle_for_time: 6 }],
    ['no log file', { log_file_count: 0 }],
    ['too many log files', { log_file_count: 1001 }],
  ])('is refused with %s', async (_, more) => {
    const api = await emulated({ dialect });
    const { path } = await machine(api);
    expect(await api.refusal('POST', path, jobBody(more))).toEqual(refused(400));
    // Who does not wait may say whatever they like about how long.
    const free = { bundle_for: false, bundle_for_time: 99, log_file_count: 1000 };
    await api.post(path, jobBody(free));
  });

  it('is refused for another workload, a disconnected machine, or an old agent', async () => {
    const api = await emulated({ dialect });
    const { id, path } = await machine(api);
    const unknown = await api.refusal('POST', path, jobBody({}, 'reboot'));
    expect(unknown).toEqual(refused(dialect === 'spec' ? 422 : 400));
    await api.control('POST', `/emulator/peers/${id}/disconnect`);
    expect(await api.refusal('POST', path, jobBody())).toEqual(refused(400));
    const old = await machine(api, { version: '0.63.9' });
    expect(await api.refusal('POST', old.path, jobBody())).toEqual(refused(412));
    const fit = await machine(api, { version: '0.64.0' });
    await api.post(fit.path, jobBody());
  });

  it('is not found under another peer, and is deleted with its own peer', async () => {
    const api = await emulated({ dialect });
    const one = await machine(api);
    const other = await machine(api);
    const id = await api.make(one.path, jobBody());
    expect(await api.refusal('GET', `${other.path}/${id}`)).toEqual(refused(404));
    await api.remove(`/api/peers/${one.id}`);
    expect(await api.refusal('GET', one.path)).toEqual(refused(404));
  });
});

it('an answer arrives once, and is either success or failure', async () => {
  const api = await emulated();
  const { path } = await machine(api);
  const id = await api.make(path, jobBody());
  const answer = async (body: object) =>
    (await api.call('POST', `/emulator/jobs/${id}`, body, `Token ${api.controlsToken}`)).status;
  expect(await answer({})).toBe(422);
  expect(await answer({ upload_key: 'k', failed_reason: 'r' })).toBe(422);
  expect(await answer({ upload_key: 'k' })).toBe(200);
  expect(await answer({ upload_key: 'k' })).toBe(412);
});
