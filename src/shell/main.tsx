import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import '@fontsource-variable/inter/wght.css';
import 'virtual:theme.css';
import '#kit/web/theme/css/index.css';
import { queryClient } from '#kit/web/api/index.ts';
import { PortsContext } from '#kit/web/ports.ts';
import { watchOtherTabs } from '#kit/web/session.ts';
import { startTheme } from '#kit/web/theme/preference.ts';
import { ThemeProvider } from '#kit/web/theme/ThemeProvider.tsx';
import { ApprovalPanel } from '#modules/approval/web/index.ts';
import { systemPorts } from '#modules/system/web/index.ts';
import { watchSteps } from './back.ts';
import { useDocumentTabs } from './document-tabs.ts';
import { Router } from './Router.tsx';

const ports = { ...systemPorts, Approval: ApprovalPanel, useDocumentTabs };

startTheme();
watchOtherTabs();
watchSteps();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ThemeProvider>
          <PortsContext value={ports}>
            {/* An address that is set late would let a second choice in a list undo the first: it is built on what is shown. */}
            <BrowserRouter useTransitions={false}>
              <Router />
            </BrowserRouter>
          </PortsContext>
        </ThemeProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
