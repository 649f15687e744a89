import type { Score } from '../../model/scores/score.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import { describeValue } from '../describe-value.js';
import { isRecord } from '../is-record.js';
import { readScore, scoreFields } from './read-score.js';

/**
 * Names of evaluators, in order: the function's name, else `evaluator_<position>` with the position from 0. A name
 * that different functions share is numbered (`matches`, `matches_2`), so that no score hides another.
 */
export function evaluatorNames(evaluators: readonly { readonly name: string }[]): string[] {
  const taken = new Map<string, object>();
  return evaluators.map((evaluator, position) => {
    const base = ownName(evaluator, position);
    let name = base;
    for (let n = 2; taken.has(name) && taken.get(name) !== evaluator; n += 1) name = `${base}_${n}`;
    taken.set(name, evaluator);
    return name;
  });
}

/**
 * The scores in what an evaluator returned (already awaited); `rules` has the scales of values.
 * @throws {TypeError} naming the evaluator, when it is no grade
 */
export function gradeToScores(
  grade: unknown,
  evaluatorName: string,
  position: number,
  rules?: ScoreRules | undefined,
): Score[] {
  const name = evaluatorName === '' ? `evaluator_${position}` : evaluatorName;
  if (grade === null || grade === undefined) return [];
  if (!Array.isArray(grade)) return readGrade(grade, name, rules);
  const scores = Array.from<unknown>(grade).flatMap((one) =>
    readGrade(isRecord(one) ? one : refuse(name, one, true), name, rules),
  );
  const keys = new Set(scores.map((score) => score.key));
  if (keys.size < scores.length) {
    throw new TypeError(
      `evaluator ${quote(name)} returned two scores with one key; give each its own`,
    );
  }
  return scores;
}

function readGrade(grade: unknown, name: string, rules: ScoreRules | undefined): Score[] {
  if (typeof grade === 'boolean' || typeof grade === 'number') {
    return checked(scoreFields(grade), name, rules);
  }
  if (!isRecord(grade)) return refuse(name, grade);
  const isNamedGrade = 'score' in grade && !('passed' in grade) && !('value' in grade);
  return isNamedGrade ? readNamedGrade(grade, name, rules) : checked(grade, name, rules);
}

// { score, name?, metadata?, error? }: the shape of the autoevals package.
function readNamedGrade(
  grade: Record<string, unknown>,
  name: string,
  rules: ScoreRules | undefined,
): Score[] {
  if (grade.score === null || grade.score === undefined) {
    if (grade.error !== null && grade.error !== undefined) throw failure(grade.error, name);
    return [];
  }
  const notes = findNotes(grade.metadata);
  return checked({ key: grade.name, ...scoreFields(grade.score), notes }, name, rules);
}

const noteNames = ['rationale', 'reasoning', 'reason', 'explanation'];

function findNotes(metadata: unknown): string | undefined {
  if (!isRecord(metadata)) return undefined;
  return noteNames.map((key) => metadata[key]).find((text) => typeof text === 'string');
}

function checked(
  fields: Record<string, unknown>,
  name: string,
  rules: ScoreRules | undefined,
): Score[] {
  const { score, problem } = readScore(fields, name, rules);
  if (problem !== undefined) throw new TypeError(`evaluator ${quote(name)}: ${problem}`);
  return [score];
}

function failure(cause: unknown, name: string): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`evaluator ${quote(name)} failed: ${reason}`, { cause });
}

function refuse(name: string, grade: unknown, inArray = false): never {
  const wanted = inArray
    ? 'an array of scores, each an object with "passed" or "value"'
    : 'true or false, a number, a score, an array of scores or null';
  const held = inArray ? `an array with ${describeValue(grade)} in it` : describeValue(grade);
  throw new TypeError(`evaluator ${quote(name)} must return ${wanted}, but returned ${held}`);
}

function quote(name: string): string {
  return JSON.stringify(name);
}

function ownName(evaluator: { readonly name: unknown }, position: number): string {
  const name = typeof evaluator.name === 'string' ? evaluator.name.replace(/^bound /, '') : '';
  return name === '' ? `evaluator_${position}` : name;
}
