export { systemPorts } from './ports.ts';
