// The topic catalogue: the enum, the subscription rules and the documentation are generated from it, so it must be consistent.
import { expect, test } from 'vitest';
import { ALL_TOPICS, ENVELOPES, TOPICS, topicEnumName } from '../../src/events/topics.ts';

test('every topic is written in segments of letters, digits and underscores, and is listed once', () => {
  for (const { topic } of TOPICS) expect(topic).toMatch(/^[A-Z0-9_]+(\.[A-Z0-9_]+)*$/);
  expect(new Set(TOPICS.map(({ topic }) => topic)).size).toBe(TOPICS.length);
  expect(TOPICS.map(({ topic }) => topic)).not.toContain(ALL_TOPICS);
});

test('every topic has an enum name of its own', () => {
  const names = TOPICS.map(({ topic }) => topicEnumName(topic));
  for (const name of names) expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
  expect(new Set(names).size).toBe(TOPICS.length);
});

test('every topic and every field is described, and no topic lists a field twice', () => {
  for (const { description, data } of TOPICS) {
    expect(description).toMatch(/^[A-Z].*\.$/);
    if ('record' in data) continue;
    for (const field of data) expect(field.description).toMatch(/^[A-Z].*\.$/);
    expect(new Set(data.map(({ name }) => name)).size).toBe(data.length);
  }
});

test('the test event carries its input in the data of the common envelope', () => {
  expect(TOPICS.find(({ topic }) => topic === 'WEBHOOK.TEST')!.data).toEqual({ record: 'any object' });
  expect(ENVELOPES.platform.map(({ name }) => name)).toContain('data');
});
