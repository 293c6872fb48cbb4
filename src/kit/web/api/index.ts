export { type CallOptions, call } from './call.ts';
export { ApiError, CallCancelled, messageOf } from './errors.ts';
export { blobOf, type Download, download, keep, type UploadOptions, upload } from './files.ts';
export { cacheKey, queryClient, type UseCallOptions, type UseSendOptions, useCall, useSend } from './hooks.ts';
export { uuid } from './uuid.ts';
