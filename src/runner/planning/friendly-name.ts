import { randomInt } from 'node:crypto';

const adjectives =
  'able agile amber ample apt azure bold brave bright brisk calm candid clear clever cosy crisp deft eager early easy fair ' +
  'fleet fond frank fresh gentle glad golden grand green hardy honest jolly keen kind lively loyal lucid lucky mellow merry ' +
  'mild neat nimble noble patient plain polite prime proud quick quiet rapid ready royal rustic sage serene sharp silent ' +
  'silver sleek smart snug solid spry steady stout sunny sure swift tidy tough true vivid warm wise witty young';
const animals =
  'adder alpaca badger beaver bison bittern bobcat buzzard camel caribou cheetah cobra condor cougar crane cricket curlew ' +
  'deer dingo dolphin donkey dove eagle egret eider falcon ferret finch fox gazelle gecko gibbon goose grouse hare hawk ' +
  'heron hornet ibex ibis jackal jaguar jay kestrel kite koala lark lemur leopard llama lynx magpie marmot marten mole ' +
  'moose newt ocelot okapi oriole osprey otter owl panda panther parrot pelican plover puffin puma quail rabbit raven ' +
  'robin salmon seal shrike skylark sparrow stoat stork swan tapir tern thrush tiger toucan trout turtle viper walrus ' +
  'weasel whale wolf wombat wren yak zebra';

/** A name for an unnamed run: an adjective and an animal, such as `brisk-otter`. */
export function friendlyName(): string {
  return `${pick(adjectives)}-${pick(animals)}`;
}

function pick(words: string): string {
  const all = words.split(' ');
  return all[randomInt(all.length)] ?? 'run';
}
