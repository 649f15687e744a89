import type { AnswerOf } from '../api/request.js';

/** How far the judges of a run can be trusted. */
export type CalibrationAnswer = AnswerOf<'getCalibration'>;

/** One of its judges. */
export type JudgeAnswer = CalibrationAnswer['judges'][number];
