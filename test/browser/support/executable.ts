/**
 * Path of the Chromium that npm brought; unpacks it where that has not been done. Not by two processes at once: the second
 * would start what the first has not written to its end, so the run has it unpacked before its workers start.
 */
export default async function executable(): Promise<string> {
  // The package unpacks the shared libraries that it brings along only where it believes to be on a bare machine.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  const path = await chromium.executablePath();
  // Its own font list knows no Chinese; a machine that has a Chinese font should show it.
  delete process.env.FONTCONFIG_PATH;
  return path;
}
