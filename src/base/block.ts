/** A wait of the whole thread, for what has to be done before anything else goes on. */
const nobodyWakes = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

export const blockFor = (ms: number): void => void Atomics.wait(nobodyWakes, 0, 0, ms);
