export { PlatformMark } from './PlatformMark.tsx';
export { systemPorts } from './ports.ts';
