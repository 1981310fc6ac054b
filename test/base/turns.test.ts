import assert from "node:assert/strict";
import { test } from "node:test";
import { Turns } from "../../src/base/turns.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const work = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

/** Of the event loop, until the answer is asked for. */
function countTurns(): () => Promise<number> {
  let count = 0,
    ended = false;
  const counting = (async () => {
    for (; !ended; count++) await turn();
  })();
  return async () => {
    ended = true;
    await counting;
    return count;
  };
}

test("turns: who asks within the budget goes on, who asks behind it gives way", () => {
  const turns = new Turns(20);
  assert.equal(turns.isOver, false);
  work(21);
  assert.equal(turns.isOver, true);
});

test("turns: timers and sockets have their turn while work of any length goes on", async () => {
  const turns = new Turns(2);
  let fired = 0,
    done = false;
  const timer = setInterval(() => {
    fired++;
  }, 1);
  for (let step = 0; step < 100; step++) {
    if (turns.isOver) await turns.next();
    work(1);
  }
  done = true;
  clearInterval(timer);
  assert.ok(done && fired >= 20, `${fired} timers`);
});

test("turns: all who work share one budget, and go on in the order in which they gave way", async () => {
  const turns = new Turns(5),
    order: number[] = [];
  const stopCounting = countTurns();
  await Promise.all(
    Array.from({ length: 20 }, async (_, worker) => {
      for (let step = 0; step < 3; step++) {
        await turns.next();
        order.push(worker);
        work(2);
      }
    }),
  );
  const turnsOfLoop = await stopCounting();
  assert.equal(order.length, 60);
  assert.deepEqual(
    order.slice(0, 20),
    Array.from({ length: 20 }, (_, worker) => worker),
  );
  assert.ok(turnsOfLoop >= 19, `${turnsOfLoop} turns`); // of 60 steps of 2 ms: each turn has room for three, by budgets of their own for all 20
});

test("turns: many who wait cost no turn each", async () => {
  const turns = new Turns(1_000);
  let passed = 0;
  const stopCounting = countTurns();
  await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      await turns.next();
      passed++;
    }),
  );
  const turnsOfLoop = await stopCounting();
  assert.equal(passed, 1_000);
  assert.ok(turnsOfLoop < 20, `${turnsOfLoop} turns`);
});

test("turns: what can wait rests between its turns while others have something to do, and newcomers rest with it", async () => {
  let isDue = true;
  const turns = new Turns(1, { ms: 5, isDue: () => isDue }),
    stepsIn = async (ms: number): Promise<number> => {
      let steps = 0;
      for (const until = performance.now() + ms; performance.now() < until; steps++) {
        if (turns.isOver) await turns.next();
        work(0.5);
      }
      return steps;
    };
  const [steps, others] = await Promise.all([stepsIn(100), stepsIn(100)]);
  assert.ok(steps + others <= 100, `${steps + others} steps of half a millisecond, with rests of five between two of one`);
  isDue = false;
  const unrested = await stepsIn(100);
  assert.ok(unrested > steps + others, `${unrested} steps without rests, ${steps + others} with them`);
});
