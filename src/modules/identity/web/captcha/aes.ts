/**
 * AES-128 in ECB mode with PKCS7 padding, encryption only (FIPS 197). The captcha's answers are wrapped in it; that
 * hides nothing from anybody who reads this page, the defence is the answer kept on the server. Written out because
 * WebCrypto has no ECB and is missing altogether where the page is served over plain HTTP in a company network.
 */
const BLOCK = 16;
const ROUNDS = 10;

const xtime = (byte: number): number => ((byte << 1) ^ (byte & 0x80 ? 0x1b : 0)) & 0xff;

function multiply(a: number, b: number): number {
  let product = 0;
  let factor = a;
  for (let bits = b; bits > 0; bits >>= 1) {
    if (bits & 1) product ^= factor;
    factor = xtime(factor);
  }
  return product;
}

/** Inverse in GF(2^8) by search, then the affine map; built once. */
function buildSbox(): Uint8Array {
  const rotate = (byte: number, by: number) => ((byte << by) | (byte >> (8 - by))) & 0xff;
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    let inverse = 0;
    for (let candidate = 1; byte > 0 && candidate < 256; candidate += 1) {
      if (multiply(byte, candidate) === 1) inverse = candidate;
    }
    return inverse ^ rotate(inverse, 1) ^ rotate(inverse, 2) ^ rotate(inverse, 3) ^ rotate(inverse, 4) ^ 0x63;
  });
}

let sbox: Uint8Array | undefined;

function substitute(byte: number): number {
  sbox ??= buildSbox();
  return sbox[byte] ?? 0;
}

const at = (bytes: Uint8Array, index: number): number => bytes[index] ?? 0;

function expandKey(key: Uint8Array): Uint8Array {
  const words = new Uint8Array(BLOCK * (ROUNDS + 1));
  words.set(key);
  let constant = 1;
  for (let i = BLOCK; i < words.length; i += 4) {
    let word = [at(words, i - 4), at(words, i - 3), at(words, i - 2), at(words, i - 1)];
    if (i % BLOCK === 0) {
      word = [...word.slice(1), ...word.slice(0, 1)].map(substitute);
      word[0] = (word[0] ?? 0) ^ constant;
      constant = xtime(constant);
    }
    for (let j = 0; j < 4; j += 1) words[i + j] = at(words, i + j - BLOCK) ^ (word[j] ?? 0);
  }
  return words;
}

function mixColumn(state: Uint8Array, column: number): void {
  const old = [0, 1, 2, 3].map((row) => at(state, column * 4 + row));
  for (let row = 0; row < 4; row += 1) {
    const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((step) => old[(row + step) % 4] ?? 0);
    state[column * 4 + row] = xtime(a) ^ (xtime(b) ^ b) ^ c ^ d;
  }
}

function encryptBlock(block: Uint8Array, keys: Uint8Array): Uint8Array {
  let state = block.map((byte, i) => byte ^ at(keys, i));
  for (let round = 1; round <= ROUNDS; round += 1) {
    const before = state;
    // Row r of column c comes from column c + r: substitution and shifting of rows in one step.
    state = before.map((_, i) => substitute(at(before, (i + 4 * (i % 4)) % BLOCK)));
    if (round < ROUNDS) for (let column = 0; column < 4; column += 1) mixColumn(state, column);
    state = state.map((byte, i) => byte ^ at(keys, round * BLOCK + i));
  }
  return state;
}

/** Base64 of the encrypted UTF-8 text. `key` has 16 characters of one byte. */
export function encrypt(text: string, key: string): string {
  const plain = new TextEncoder().encode(text);
  const padding = BLOCK - (plain.length % BLOCK);
  const padded = new Uint8Array(plain.length + padding).fill(padding);
  padded.set(plain);
  const keys = expandKey(new TextEncoder().encode(key).slice(0, BLOCK));
  let binary = '';
  for (let start = 0; start < padded.length; start += BLOCK) {
    for (const byte of encryptBlock(padded.slice(start, start + BLOCK), keys)) binary += String.fromCharCode(byte);
  }
  return btoa(binary);
}
