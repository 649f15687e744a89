import { desk } from './desk.js';
import { exact, grounded, noLeak } from './graders.js';

const windows = [1, 3, 7, 13, 14, 15, 21, 28, 29, 30, 31, 32, 45, 60, 90];
const goods = ['kettle', 'cups', 'lamp', 'gift_card', 'rug'];

/** Thirty days, except for gift cards, which are never taken back. */
export const refundWindow = desk(
  goods.flatMap((item) =>
    windows.map((days) => {
      const eligible = days <= 30 && item !== 'gift_card';
      const right = eligible ? { eligible } : { eligible, reason: 'past the window' };
      return {
        id: `${item}_day_${days}`,
        input: { item, days, paid: 42.5 },
        reference: right,
        good: right,
        bad: eligible
          ? { eligible: false, reason: `${item}: internal margin too low` }
          : { eligible: true, until: `day ${days + 14}` },
        labels: [
          ...(days % 7 === 0 ? ['smoke'] : []),
          ...(Math.abs(days - 30) < 2 ? ['edge'] : []),
        ],
      };
    }),
  ),
  [exact, grounded, noLeak],
);
